package forms

// known has the texts that were made of a secret, by their hashes. It has room
// for four times as many as there can be.
type known [1 << knownBits]uint64

const knownBits = 12

func (k *known) reset() { clear(k[:]) }

// before reports whether a form was made before that finds all that one of this
// text finds. The lowest bit of a slot says whether that one ignores case.
func (k *known) before(sum uint64, fold bool) bool {
	sum &^= 1
	if sum == 0 {
		sum = 2 // 0 is an empty slot
	}
	for i := sum >> (64 - knownBits); ; i = (i + 1) & (1<<knownBits - 1) {
		switch slot := &k[i]; {
		case *slot == 0:
			*slot = sum
			if fold {
				*slot |= 1
			}
			return false
		case *slot&^1 != sum:
		case *slot&1 != 0 || !fold:
			return true
		default:
			*slot |= 1
			return false
		}
	}
}
