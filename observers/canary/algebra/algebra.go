// Package algebra recognises a secret by what a transformation leaves as it
// was, without undoing the transformation.
//
// Differences: xor of bytes at a distance is not changed by xor with a constant
// or with a key whose length divides the distance; subtraction is not by
// adding. So a handful of sequences for each secret cover every key up to
// sixteen bytes, running and delta coding, counters, maps of single bytes that
// are linear over xor, streams that begin within a byte, digits packed into
// fields of bits, and bytes that stand a constant stride apart.
//
// Equality: which of the digits are the same does not change whatever is put for
// them, one for one: letters, words, groups of figures, emoji, playing cards.
//
// Every find is compared in full. What counts as found:
//   - all differences of a dress: at least 64 bits of a secret of 128 (those at
//     distance 8 of the bytes, 16 of the digits);
//   - a part of at least 80 bits, as that part;
//   - an equality pattern of 24 digits or more out of 32;
//   - that of all the digits' base64 or base32, so in any alphabet.
//
// False positives. Let the secret be random and the input be anything. A place
// in the input has one sequence of differences; the secret has it with a
// probability of at most 2^-64 a dress. With some 700 dresses that is 2^-24 for
// a gigabyte. A window of 24 digits has any one equality pattern with at most
// 16!/16^24 = 2^-51, all 32 with 2^-83; a gigabyte of symbols, read in two
// directions, gives 2^-20 for a part and 2^-52 for the whole. In return, over
// random symbols a secret's window must have at most 2^-44 whatever the
// alphabet is. The base64 of digits has few values for each of its places, so a
// part of its pattern says little (a megabyte of digits, read as fields of bits,
// had four parts of 50 secrets); the whole has about 2^-50. Measured on random
// bytes, digits, their base64, prose and a mixture against 50 absent secrets: none
// in 16 MiB of each, in 4 MiB in pieces of 32 KiB, in 2 MiB in pieces of 2 KiB. Data of low entropy (zeros, periods, tables, counters) has
// patterns that a random secret does not have, and a secret that has them
// (fewer than six different digits, constant differences, a repetition) is
// left to other finders.
//
// A text that is not hexadecimal is looked for by its differences at
// distances that leave fourteen of them, so from 16 bytes on, and by equality
// where a window of 24 of its characters repeats enough. Shorter ones are not.
//
// It does not see keys longer than sixteen bytes, substitutions that change as
// they go along, substitutions of whole byte values, or two dresses at once
// other than those of one table. What costs more than a few nanoseconds a byte
// is done for small inputs only; see the limits in finder.go.
package algebra
