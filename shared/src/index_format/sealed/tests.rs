use super::*;

fn sealed(directory: &Path, content: &[u8]) -> FileRecord {
    let mut writer = SealedWriter::create(&directory.join("f")).unwrap();
    for piece in content.chunks(7_001) {
        writer.write(piece).unwrap();
    }
    writer.finish("f".into()).unwrap()
}

#[test]
fn what_was_written_is_read() {
    for len in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 77, WRITTEN, 2 * WRITTEN + BLOCK + 5] {
        let folder = tempfile::tempdir().unwrap();
        let content: Vec<u8> = (0..len).map(|i| (i * 31 % 251) as u8).collect();
        let record = sealed(folder.path(), &content);
        let file = SealedFile::open(folder.path(), &record).unwrap();
        assert_eq!(file.read_all().unwrap(), content);
        assert!(file.read(0..len + 1).is_err());
    }
}

// Every byte of the file matters: any flip is an error at open or at the first read that touches it.
#[test]
fn every_flip_and_every_truncation_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let content: Vec<u8> = (0..BLOCK + 100).map(|i| (i % 253) as u8).collect();
    let record = sealed(folder.path(), &content);
    let path = folder.path().join("f");
    let whole = std::fs::read(&path).unwrap();
    let is_damaged = || SealedFile::open(folder.path(), &record).and_then(|file| file.read_all().map(|_| ())).is_err();
    for at in (0..whole.len()).step_by(97).chain(content.len()..whole.len()) {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << (at % 8);
        std::fs::write(&path, flipped).unwrap();
        assert!(is_damaged(), "flip at {at}");
    }
    for len in [0, 1, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&path, &whole[..len]).unwrap();
        assert!(is_damaged(), "cut to {len}");
    }
}

// a file with the larger blocks of earlier writers is read and checked as well; the size is no byte to change.
#[test]
fn files_with_old_blocks_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let content: Vec<u8> = (0..OLD_BLOCK + 100).map(|i| (i % 253) as u8).collect();
    for content in [&content[..], &content[..50]] {
        let sums: Vec<u8> = content.chunks(OLD_BLOCK).flat_map(|block| xxh3_64(block).to_le_bytes()).collect();
        let seal = seal_of(content.len() as u64, OLD_BLOCK, &sums);
        let ends: [&[u8]; 5] = [
            &sums,
            &(content.len() as u64).to_le_bytes(),
            &(OLD_BLOCK as u32).to_le_bytes(),
            &seal.to_le_bytes(),
            MAGIC,
        ];
        let mut whole = [content, &ends.concat()].concat();
        let path = folder.path().join("f");
        std::fs::write(&path, &whole).unwrap();
        let record = FileRecord { name: "f".into(), bytes: whole.len() as u64, seal: format!("{seal:016x}") };
        let open = || SealedFile::open(folder.path(), &record);
        assert_eq!(open().unwrap().read_all().unwrap(), content);
        let at = whole.len() - 20;
        whole[at..at + 4].copy_from_slice(&(BLOCK as u32).to_le_bytes());
        std::fs::write(&path, &whole).unwrap();
        assert!(open().is_err());
    }
}
