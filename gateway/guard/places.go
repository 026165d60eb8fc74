package guard

import (
	"path"
	"strings"
)

// secretsAtHome are places below the user's home that hold secrets, or by
// which one comes to them. A place ends where its whole tree is meant.
var secretsAtHome = []string{
	// keys, and what uses them
	".ssh", ".gnupg", ".password-store", ".age", ".config/age", ".config/sops", ".pki", ".step", ".putty", ".config/op", ".local/share/keyrings", ".kde/share/apps/kwallet", ".local/share/kwalletd",
	// clouds and clusters
	".aws", ".azure", ".config/gcloud", ".oci", ".aliyun", ".bluemix", ".kube", ".config/doctl", ".config/hcloud", ".config/scw", ".terraform.d", ".terraformrc", ".fly", ".config/rclone", ".rclone.conf", ".s3cfg", ".boto", ".vault-token", ".databrickscfg", ".snowsql", ".config/heroku", ".config/netlify", ".vercel", ".local/share/com.vercel.cli", ".wrangler", ".config/.wrangler",
	// registries, forges and containers
	".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".config/pip", ".pip", ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".m2/settings.xml", ".m2/settings-security.xml", ".gradle/gradle.properties", ".nuget/NuGet/NuGet.Config", ".config/NuGet", ".composer/auth.json", ".config/composer/auth.json", ".hex", ".docker", ".config/containers/auth.json", ".config/gh", ".config/glab-cli", ".config/hub", ".git-credentials", ".config/git/credentials", ".netrc", ".authinfo", ".authinfo.gpg",
	// data bases and mail
	".pgpass", ".my.cnf", ".mylogin.cnf", ".mongorc.js", ".config/mongodb", ".msmtprc", ".mutt", ".config/neomutt", ".thunderbird",
	// browsers
	".mozilla", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge", ".config/vivaldi", ".config/opera", ".cache/mozilla", ".cache/google-chrome", ".cache/chromium", ".var/app", "snap/firefox", "snap/chromium",
	// configurations of MCP clients, which hold other servers' tokens
	".claude", ".claude.json", ".config/Claude", ".cursor", ".codeium", ".windsurf", ".continue", ".codex", ".gemini", ".copilot", ".kiro", ".lmstudio/mcp.json", ".vscode/mcp.json", ".config/Code/User/mcp.json", ".config/Code/User/globalStorage", ".config/Code - Insiders/User/mcp.json", ".config/zed", ".config/goose", ".aider.conf.yml",
	// what was typed
	".bash_history", ".zsh_history", ".histfile", ".local/share/fish/fish_history", ".python_history", ".node_repl_history", ".psql_history", ".mysql_history", ".sqlite_history", ".lesshst", ".viminfo", ".local/share/nvim/shada", ".zsh_sessions",
}

// secretsOnMac are further ones below a home of macOS.
var secretsOnMac = []string{
	"Library/Keychains", "Library/Cookies", "Library/Safari", "Library/Messages", "Library/Mail", "Library/Accounts",
	"Library/Application Support/Google/Chrome", "Library/Application Support/Chromium", "Library/Application Support/BraveSoftware", "Library/Application Support/Firefox", "Library/Application Support/Microsoft Edge", "Library/Application Support/Arc", "Library/Application Support/Vivaldi", "Library/Caches/Google/Chrome", "Library/Caches/Firefox",
	"Library/Application Support/Claude", "Library/Application Support/Cursor", "Library/Application Support/Windsurf", "Library/Application Support/Code/User/mcp.json", "Library/Application Support/Code/User/globalStorage", "Library/Application Support/Code - Insiders/User/mcp.json", "Library/Application Support/Zed",
	"Library/Application Support/1Password", "Library/Group Containers/2BUA8C4S2C.com.1password", "Library/Containers/com.apple.Safari", "Library/Application Support/gcloud", "Library/Application Support/com.apple.TCC",
}

// secretsOfLinux and secretsOfMac are those of the whole machine.
var (
	secretsOfLinux = []string{"/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/sudoers.d", "/etc/ssh", "/etc/ssl/private", "/etc/kubernetes", "/root", "/var/lib/docker", "/var/lib/kubelet", "/var/run/docker.sock", "/run/docker.sock", "/run/containerd", "/run/podman", "/run/secrets", "/var/spool/cron", "/var/lib/sss"}
	secretsOfMac   = []string{"/etc/master.passwd", "/private/etc/master.passwd", "/etc/ssh", "/private/etc/ssh", "/Library/Keychains", "/private/var/db/dslocal", "/var/run/docker.sock", "/private/var/run/docker.sock"}
)

// cachesAtHome are where launchers keep what they fetched.
var cachesAtHome = []string{
	".npm", ".cache/npm", ".cache/uv", ".local/share/uv", ".cache/pip", ".cache/pipx", ".local/share/pipx", ".cache/yarn", ".cache/pnpm", ".local/share/pnpm", ".bun/install/cache", ".cache/deno", ".cache/node", ".cache/go-build", ".cargo/registry",
}

var cachesOnMac = []string{"Library/Caches/npm", "Library/Caches/uv", "Library/Caches/pip", "Library/Caches/Yarn", "Library/pnpm", "Library/Caches/deno", "Library/Caches/go-build"}

// secrets are all places that no server sees: the guard's own state with them,
// but for the server's scratch, which is opened again.
func (m Machine) secrets() []string {
	all := append(below(m.Home, secretsAtHome), m.State)
	if path.IsAbs(m.Config) {
		for _, p := range secretsAtHome {
			if rest, ok := strings.CutPrefix(p, ".config/"); ok {
				all = append(all, path.Join(m.Config, rest))
			}
		}
	}
	if m.OS == "darwin" {
		return append(append(all, below(m.Home, secretsOnMac)...), secretsOfMac...)
	}
	all = append(all, secretsOfLinux...)
	if m.Home == "/root" { // what is at home is listed one by one
		all = without(all, "/root")
	}
	return all
}

// writable is what the standard tier may write beside its scratch.
func (m Machine) writable() []string {
	all := append(below(m.Home, cachesAtHome), m.Temp)
	if m.OS == "darwin" {
		return append(all, below(m.Home, cachesOnMac)...)
	}
	return append(all, "/dev/shm")
}

// needed is what a program must read to start at all.
func (m Machine) needed(command []string) []string {
	all := []string{"/bin", "/etc/ld.so.cache", "/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group", "/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs", "/lib", "/lib64", "/sbin", "/usr"}
	if m.OS == "darwin" {
		all = []string{"/bin", "/sbin", "/usr", "/System", "/Library/Frameworks", "/private/etc/ssl", "/private/var/db/timezone", "/opt/homebrew"}
	}
	if path.IsAbs(command[0]) {
		all = append(all, path.Clean(command[0]))
	}
	return all
}

func below(home string, places []string) []string {
	out := make([]string, len(places))
	for i, p := range places {
		out[i] = path.Join(home, p)
	}
	return out
}

func without(all []string, one string) []string {
	var out []string
	for _, s := range all {
		if s != one {
			out = append(out, s)
		}
	}
	return out
}
