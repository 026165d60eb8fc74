package mutants

import (
	"postern/fixtures"
	"postern/fixtures/channel"
	"postern/gateway"
	"postern/gateway/confine"
)

// volumes lists the mutants of volumes, asked for, declared by the image, or
// another container's.
func volumes() []Mutant {
	opens := []channel.ID{channel.FileVolume}
	return []Mutant{
		{
			ID:      "profile/volume-named",
			Why:     "a volume with a name is mounted, which outlives the container",
			Weakens: confine.VolumesNone,
			Needs:   []Need{NeedVolume},
			Opens:   opens,
			Apply:   func(c *gateway.Config, s Site) { volume(c, s.Volume+":"+fixtures.VolumeDir) },
		},
		{
			ID:      "profile/volume-anonymous",
			Why:     "a volume without a name is mounted on a directory of the image that any user may write",
			Weakens: confine.VolumesNone,
			Needs:   []Need{NeedDirectoryImage},
			Opens:   opens,
			Apply: func(c *gateway.Config, s Site) {
				c.Image = s.DirectoryImage
				volume(c, fixtures.VolumeDir)
			},
		},
		{
			ID:      "profile/volume-of-image",
			Why:     "the image declares a volume on a directory that any user may write",
			Weakens: confine.VolumesNone,
			Needs:   []Need{NeedVolumeImage},
			Opens:   opens,
			Apply:   func(c *gateway.Config, s Site) { c.Image = s.VolumeImage },
		},
		{
			ID:      "profile/volumes-from",
			Why:     "the volumes of another container are mounted",
			Weakens: confine.VolumesFromNone,
			Also:    []confine.Control{confine.VolumesNone},
			Needs:   []Need{NeedVolumePeer},
			Opens:   []channel.ID{channel.FileVolumePeer},
			Apply:   func(c *gateway.Config, s Site) { c.Profile.VolumesFrom = append(c.Profile.VolumesFrom, s.VolumePeer) },
		},
	}
}

func volume(c *gateway.Config, spec string) { c.Profile.Volumes = append(c.Profile.Volumes, spec) }
