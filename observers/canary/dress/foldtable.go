package dress

// alike is one character of ASCII and those that are drawn like it or stand for
// it, and that compatibility decomposition (Unicode Standard Annex 15) leaves
// as they are.
type alike struct {
	plain byte
	dress string
}

// alikes is a func because a package keeps no state.
func alikes() []alike {
	return []alike{
		{'a', "аαɑᴀɐⱥꭺ🅐"}, {'b', "ЬьƄƅвʙβϐƀɓƃᑲꮟᏼ♭"}, {'c', "сϲᴄςƈȼꮯↄɕ¢©"}, {'d', "ԁđɖɗᴅδƌꭰꓒժ"}, {'e', "еєҽᴇεɛɇ℮ꭼǝ"},
		{'f', "ƒꜰғꞙẝϝ"}, {'g', "ɡɢǥցƍᶃɠ"}, {'h', "һհнʜħɦհꮋ"}, {'i', "іιıɪɩӏꭵΐ"}, {'j', "јᴊյϳɉꭻ"}, {'k', "кκᴋĸƙꮶ"}, {'l', "ⅼʟłɭƚǀ∣ꮮ"},
		{'m', "мᴍɱꮇ"}, {'n', "ոпηɴɲռ"}, {'o', "оοօᴏσøɵ๐໐ഠഠ"}, {'p', "рρᴘϱƿƥꮲ®℗"}, {'q', "ԛզգǫʠ"}, {'r', "гʀɍɾꮁᴦ"}, {'s', "ѕꜱƽʂꮪ"}, {'t', "тτᴛŧƭ†"},
		{'u', "υսᴜμʋџ"}, {'v', "νѵᴠꮩ∨"}, {'w', "ԝωᴡɯաꮃ"}, {'x', "хχ×᙮ⅹ"}, {'y', "уүγʏɣỿ"}, {'z', "ᴢƶȥꮓ"},
		{'A', "АΑᎪᗅꓮȺ∀"}, {'B', "ВΒᏴᗷꓐɃ"}, {'C', "СϹᏟᑕꓚȻ"}, {'D', "ᎠᗞᗪꓓÐĐᎠ"}, {'E', "ЕΕᎬꓰ∃Ɛ"}, {'F', "ϜᖴꓝƑ"}, {'G', "ԌᏀꓖǤ"}, {'H', "НΗᎻᕼꓧĦ"},
		{'I', "ІΙӀꓲІ"}, {'J', "ЈᎫᒍꓙͿ"}, {'K', "КΚᏦꓗ"}, {'L', "ᏞᒪꓡŁԼ"}, {'M', "МΜᎷᗰꓟϺ"}, {'N', "Νꓠᑎ"}, {'O', "ОΟՕꓳØ"}, {'P', "РΡᏢᑭꓑ"}, {'Q', "ԚႳ"},
		{'R', "ᎡᏒᖇꓣ"}, {'S', "ЅՏᏚꓢ§"}, {'T', "ТΤᎢꓔ"}, {'U', "ՍᑌꓴԱ"}, {'V', "ѴᏙᐯꓦ"}, {'W', "ԜᎳᗯꓪ"}, {'X', "ХΧ᙭ꓫ"}, {'Y', "УΥҮꓬᎩ"}, {'Z', "ΖᏃᘔꓜ"},
		{'0', "〇零○◯⓪⓿영공"}, {'1', "一壹壱일"}, {'2', "二贰貳弐ƧꙄ이"}, {'3', "三叁參叄参ЗзƷȜӠ삼"}, {'4', "四肆Чч사"}, {'5', "五伍오"}, {'6', "六陆陸бϬ육"},
		{'7', "七柒칠"}, {'8', "八捌Ȣȣ팔"}, {'9', "九玖구"},
		{'-', "‐‑‒–—―−⁃˗‧·•"}, {'\'', "‘’‚‛ʼʹ′´"}, {'"', "“”„‟″«»"}, {'/', "⁄∕╱"}, {':', "։׃܃∶꞉"}, {'.', "․۔"}, {',', "‚،⸴"}, {'_', "ˍ‗"}, {';', ";؛"},
	}
}

// counted is a run of characters that stand for a run of ASCII.
type counted struct {
	first, last rune
	plain       byte
}

func countedRuns() []counted {
	return []counted{
		{0x2460, 0x2468, '1'}, {0x2474, 0x247c, '1'}, {0x2488, 0x2490, '1'}, {0x24f5, 0x24fd, '1'}, // ① ⑴ ⒈ ⓵
		{0x2776, 0x277e, '1'}, {0x2780, 0x2788, '1'}, {0x278a, 0x2792, '1'}, // ❶ ➀ ➊
		{0x249c, 0x24b5, 'a'}, {0x24b6, 0x24cf, 'A'}, {0x24d0, 0x24e9, 'a'}, // ⒜ Ⓐ ⓐ
		{0x1f110, 0x1f129, 'A'}, {0x1f130, 0x1f149, 'A'}, {0x1f150, 0x1f169, 'A'}, {0x1f170, 0x1f189, 'A'}, // 🄐 🄰 🅐 🅰
		{0x1f1e6, 0x1f1ff, 'A'}, {0x1f101, 0x1f10a, '0'}, // regional indicators, 🄁
		{0x1369, 0x1371, '1'}, {0x11052, 0x1105a, '1'}, {0x1d360, 0x1d368, '1'}, {0x1d369, 0x1d371, '1'}, // Ethiopic, Brahmi, counting rods
		{0x3021, 0x3029, '1'}, {0x3220, 0x3228, '1'}, {0x3280, 0x3288, '1'}, {0x3192, 0x3195, '1'}, // Hangzhou, ㈠ ㊀
		{0x10107, 0x1010f, '1'}, {0x102e1, 0x102e9, '1'}, {0x1ccd6, 0x1ccef, 'A'}, {0x1d2e0, 0x1d2e9, '0'}, // Aegean, Coptic, outlined, Mayan
		{0xe0020, 0xe007e, ' '}, {0x1ccf0, 0x1ccf9, '0'}, {0x1fbf0, 0x1fbf9, '0'}, // tags, outlined and segmented digits
	}
}

// turned gives what is drawn upside down and what it stands for, in turn.
const turned = "ɐa qb ɔc pd ǝe ɟf ƃg ɓg ɥh ᴉi ıi ɾj ʞk ןl ɯm un nu dp bq ɹr ʇt ʌv ʍw ʎy Ɩ1 ⇂1 ⥝1 ᄅ2 ↊2 Ɛ3 ↋3 ㄣ4 ߈4 ϛ5 96 ㄥ7 L7 69 ∀A ᗺB 𐐒B ƆC ᗡD ƎE ℲF"
