package container

func archiveKinds() []kind {
	return []kind{
		{magic: zipLocal, open: openZip},
		{magic: "ustar", open: openTar},
		{magic: "070701", open: openCpio},
		{magic: "070702", open: openCpio},
		{magic: "070707", open: openCpioOld},
		{magic: "!<arch>\n", open: openAr},
		{magic: "7z\xbc\xaf\x27\x1c", open: openSevenZip},
		{magic: "MSCF\x00\x00\x00\x00", open: openCab},
		{magic: "CD001", open: openISO},
		{magic: "\xed\xab\xee\xdb", open: openRpm},
	}
}
