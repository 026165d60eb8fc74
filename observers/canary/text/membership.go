package text

// alphabets is a set of them.
type alphabets uint16

const (
	inHex alphabets = 1 << iota
	inDigits
	inAlnum
	inBase32
	inBase32Hex
	inCrockford
	inZ
	inGeohash
	inBech32
	inBase58
	inBase36
	inTwoFirst
	inIodine
	inWordSafe
	inNix
)

var (
	bech32      = alphabetOf("qpzry9x8gf2tvdw0s3jn54khce6mua7l", true)
	memberships = membershipTable()
)

// membershipTable gives for each byte the alphabets that it belongs to.
func membershipTable() *[256]alphabets {
	var t [256]alphabets
	for c := range t {
		b := byte(c)
		for in, is := range map[alphabets]bool{
			inHex:       isHex(b),
			inDigits:    isDigit(b),
			inAlnum:     isAlnum(b),
			inBase32:    base32Alphabet[b] >= 0,
			inBase32Hex: base32Hex[b] >= 0,
			inCrockford: crockford[b] >= 0,
			inZ:         zBase32[b] >= 0,
			inGeohash:   geohash[b] >= 0,
			inBech32:    bech32[b] >= 0,
			inBase58:    base58[0].alphabet[b] >= 0,
			inBase36:    isDigit(b) || isLetter(b),
			inTwoFirst:  isLetter(b) || b-'2' < 6,
			inIodine:    isLetter(b) || b-'0' < 6,
			inWordSafe:  wordSafe[b] >= 0,
			inNix:       nix[b] >= 0,
		} {
			if is {
				t[c] |= in
			}
		}
	}
	return &t
}

// alphabetsOf returns those that have every symbol of b.
func alphabetsOf(b []byte) alphabets {
	in := ^alphabets(0)
	for _, c := range b {
		in &= memberships[c]
	}
	return in
}
