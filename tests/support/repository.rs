//! Real Git repositories, made by the `git` program in a fresh directory with a pinned environment: the same calls give
//! the same object ids on every machine.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// `git` in `dir`, without any configuration or variable of the user.
pub fn git_command(dir: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(dir).env_clear();
    if let Some(path) = std::env::var_os("PATH") {
        command.env("PATH", path);
    }
    command
        .env("HOME", dir)
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "UTC")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_AUTHOR_NAME", "A U Thor")
        .env("GIT_AUTHOR_EMAIL", "author@example.com")
        .env("GIT_AUTHOR_DATE", "1112911993 +0000")
        .env("GIT_COMMITTER_NAME", "C O Mitter")
        .env("GIT_COMMITTER_EMAIL", "committer@example.com")
        .env("GIT_COMMITTER_DATE", "1112911993 +0000");
    command
}

/// Runs a command with `input` and returns what it printed; panics with its complaint when it fails.
pub fn run(command: &mut Command, input: &[u8]) -> Vec<u8> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let mut stdin = child.stdin.take().expect("stdin is piped");
    // A thread, because a command may print before it has read everything.
    let output = std::thread::scope(|scope| {
        scope.spawn(move || {
            // A command that fails early closes its input; its status tells.
            let _ = stdin.write_all(input);
        });
        child.wait_with_output().expect("the child can be waited for")
    });
    assert!(output.status.success(), "{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The first line of what a command printed.
pub fn first_line(output: &[u8]) -> String {
    String::from_utf8_lossy(output).lines().next().unwrap_or_default().to_owned()
}

/// A repository in a directory that goes away with it.
pub struct TestRepository {
    /// `None` for a repository that lies inside another one's directory.
    home: Option<TempDir>,
    dir: PathBuf,
}

impl Default for TestRepository {
    fn default() -> Self {
        Self::new()
    }
}

impl TestRepository {
    /// An empty SHA-1 repository with a work tree, on branch `main`.
    pub fn new() -> Self {
        Self::with_init(&[])
    }

    /// The same with SHA-256 object ids.
    pub fn sha256() -> Self {
        Self::with_init(&["--object-format=sha256"])
    }

    fn with_init(options: &[&str]) -> Self {
        let repository = Self::fresh();
        fs::create_dir(&repository.dir).expect("a fresh directory");
        let arguments = ["init", "--quiet", "--template=", "--initial-branch=main"];
        repository.git(&[&arguments[..], options].concat());
        repository.git(&["config", "gc.auto", "0"]);
        repository
    }

    /// A directory name in a new temporary directory; nothing is created there.
    fn fresh() -> Self {
        let home = tempfile::tempdir().expect("a temporary directory");
        let dir = home.path().join("repository");
        Self { home: Some(home), dir }
    }

    /// The work tree's root, or the bare repository.
    pub fn path(&self) -> &Path {
        &self.dir
    }

    /// The repository's own Git directory.
    pub fn git_dir(&self) -> PathBuf {
        PathBuf::from(first_line(&self.git(&["rev-parse", "--absolute-git-dir"])))
    }

    /// The Git directory that holds the objects; differs from [`Self::git_dir`] in a linked work tree.
    pub fn common_dir(&self) -> PathBuf {
        self.dir.join(first_line(&self.git(&["rev-parse", "--git-common-dir"])))
    }

    /// Runs `git` in the repository; panics when it fails.
    pub fn git(&self, arguments: &[&str]) -> Vec<u8> {
        self.git_with_input(arguments, b"")
    }

    /// Runs `git` in the repository with bytes on its standard input.
    pub fn git_with_input(&self, arguments: &[&str], input: &[u8]) -> Vec<u8> {
        run(git_command(&self.dir).args(arguments), input)
    }

    /// Adds a regular file to the work tree and the index.
    pub fn write(&self, path: impl AsRef<[u8]>, content: impl AsRef<[u8]>) {
        let file = self.make_room(path.as_ref());
        fs::write(&file, content).expect("the file can be written");
        self.add(path.as_ref());
    }

    /// Adds an executable file.
    pub fn write_executable(&self, path: impl AsRef<[u8]>, content: impl AsRef<[u8]>) {
        let file = self.make_room(path.as_ref());
        fs::write(&file, content).expect("the file can be written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("the mode can be set");
        self.add(path.as_ref());
    }

    /// Adds a symbolic link.
    pub fn symlink(&self, path: impl AsRef<[u8]>, target: impl AsRef<[u8]>) {
        let file = self.make_room(path.as_ref());
        std::os::unix::fs::symlink(OsStr::from_bytes(target.as_ref()), file).expect("the link can be made");
        self.add(path.as_ref());
    }

    /// Adds a submodule entry to the index; its commit need not exist.
    pub fn submodule(&self, path: impl AsRef<[u8]>, oid: &str) {
        self.index_entry("160000", oid, path.as_ref());
    }

    /// Stores a blob and adds it to the index only, so that any path works, whatever the file system says.
    pub fn raw_entry(&self, mode: &str, path: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> String {
        let oid = self.hash_object("blob", content.as_ref());
        self.index_entry(mode, &oid, path.as_ref());
        oid
    }

    /// Takes a path out of the index and the work tree.
    pub fn remove(&self, path: impl AsRef<[u8]>) {
        let pathspec = OsStr::from_bytes(path.as_ref());
        run(git_command(&self.dir).args(["rm", "--quiet", "-r", "-f", "--"]).arg(pathspec), b"");
    }

    /// Commits the index and returns the commit's id. An empty commit is fine.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["commit", "--quiet", "--allow-empty", "--allow-empty-message", "--no-verify", "-m", message]);
        self.head()
    }

    /// The id of `HEAD`.
    pub fn head(&self) -> String {
        self.resolve("HEAD")
    }

    /// The id that Git resolves a revision to.
    pub fn resolve(&self, revision: &str) -> String {
        first_line(&self.git(&["rev-parse", "--verify", revision]))
    }

    /// Stores an object as it is, even one that Git would refuse to make, and returns its id.
    pub fn hash_object(&self, kind: &str, content: &[u8]) -> String {
        let arguments = ["hash-object", "-t", kind, "-w", "--literally", "--no-filters", "--stdin"];
        first_line(&self.git_with_input(&arguments, content))
    }

    /// A tree object from `(octal mode, name, object id)` in the order given, checked by nobody.
    pub fn raw_tree(&self, entries: &[(&str, &[u8], &str)]) -> String {
        let mut content = Vec::new();
        for (mode, name, oid) in entries {
            content.extend_from_slice(mode.as_bytes());
            content.push(b' ');
            content.extend_from_slice(name);
            content.push(0);
            content.extend_from_slice(&unhex(oid));
        }
        self.hash_object("tree", &content)
    }

    /// A commit of any tree id, present or not. No branch moves.
    pub fn commit_tree(&self, tree: &str) -> String {
        let content = format!(
            "tree {tree}\nauthor A U Thor <author@example.com> 1112911993 +0000\n\
             committer C O Mitter <committer@example.com> 1112911993 +0000\n\nraw\n"
        );
        self.hash_object("commit", content.as_bytes())
    }

    /// Where a loose object lies.
    pub fn object_path(&self, oid: &str) -> PathBuf {
        self.common_dir().join("objects").join(&oid[..2]).join(&oid[2..])
    }

    /// Makes the repository lack an object; packs are unpacked first.
    pub fn delete_object(&self, oid: &str) {
        self.unpack();
        fs::remove_file(self.object_path(oid)).expect("the object is loose");
    }

    /// Replaces a loose object's file by bytes that are no zlib stream; packs are unpacked first.
    pub fn corrupt_object(&self, oid: &str) {
        self.overwrite_object(oid, b"this is not a zlib stream, and no object either");
    }

    /// Stores the well-formed object `other` under the name of `oid`; packs are unpacked first.
    pub fn swap_object(&self, oid: &str, other: &str) {
        self.unpack();
        let content = fs::read(self.object_path(other)).expect("the object is loose");
        self.overwrite_object(oid, &content);
    }

    /// Replaces the file of a loose object.
    pub fn overwrite_object(&self, oid: &str, content: &[u8]) {
        self.unpack();
        let path = self.object_path(oid);
        fs::create_dir_all(path.parent().expect("objects lie in a directory")).expect("it can be made");
        // Git makes objects read-only; a new file takes the old one's place.
        let _ = fs::remove_file(&path);
        fs::write(path, content).expect("the object can be written");
    }

    /// Packs everything that the references reach.
    pub fn pack(&self) {
        self.git(&["repack", "-a", "-d", "-q"]);
        self.git(&["prune-packed", "-q"]);
    }

    /// The pack files.
    pub fn packs(&self) -> BTreeSet<PathBuf> {
        let Ok(entries) = fs::read_dir(self.common_dir().join("objects/pack")) else {
            return BTreeSet::new();
        };
        entries
            .map(|entry| entry.expect("the directory can be read").path())
            .filter(|path| path.extension() == Some(OsStr::new("pack")))
            .collect()
    }

    /// Turns packs into loose objects.
    pub fn unpack(&self) {
        for pack in self.packs() {
            let content = fs::read(&pack).expect("the pack can be read");
            for extension in ["pack", "idx", "rev", "promisor"] {
                let _ = fs::remove_file(pack.with_extension(extension));
            }
            self.git_with_input(&["unpack-objects", "-q"], &content);
        }
    }

    /// A bare clone with objects of its own.
    pub fn bare_clone(&self) -> Self {
        self.clone_with(&["--bare", "--no-local"], self.dir.as_os_str())
    }

    /// A clone that has no objects and reads this repository's through an absolute path in `info/alternates`.
    pub fn with_alternates(&self) -> Self {
        self.clone_with(&["--shared"], self.dir.as_os_str())
    }

    /// A clone of the last commit alone.
    pub fn shallow_clone(&self) -> Self {
        self.clone_with(&["--depth=1"], &self.url())
    }

    /// A clone without any blob, and without a work tree that would fetch them.
    pub fn partial_clone(&self) -> Self {
        self.git(&["config", "uploadpack.allowFilter", "true"]);
        self.clone_with(&["--filter=blob:none", "--no-checkout"], &self.url())
    }

    /// A second work tree of this repository, with a `.git` file. It must not outlive the repository.
    pub fn linked_worktree(&self) -> Self {
        let home = self.home.as_ref().expect("only a repository with a directory of its own has linked work trees");
        let dir = home.path().join("linked");
        run(git_command(&self.dir).args(["worktree", "add", "--quiet", "--detach"]).arg(&dir), b"");
        Self { home: None, dir }
    }

    fn url(&self) -> std::ffi::OsString {
        let mut url = std::ffi::OsString::from("file://");
        url.push(&self.dir);
        url
    }

    fn clone_with(&self, options: &[&str], source: &OsStr) -> Self {
        let clone = Self::fresh();
        let home = clone.home.as_ref().expect("fresh repositories have a home").path();
        let mut command = git_command(home);
        command.args(["clone", "--quiet", "--template="]).args(options).arg(source).arg(&clone.dir);
        run(&mut command, b"");
        clone
    }

    fn make_room(&self, path: &[u8]) -> PathBuf {
        let file = self.dir.join(OsStr::from_bytes(path));
        let folder = file.parent().expect("a file lies in a folder");
        fs::create_dir_all(folder).expect("the folder can be made");
        // A link that lies there would be followed.
        let _ = fs::remove_file(&file);
        file
    }

    fn add(&self, path: &[u8]) {
        let arguments = ["add", "--force", "--pathspec-from-file=-", "--pathspec-file-nul"];
        run(git_command(&self.dir).env("GIT_LITERAL_PATHSPECS", "1").args(arguments), path);
    }

    fn index_entry(&self, mode: &str, oid: &str, path: &[u8]) {
        let mut input = format!("{mode} {oid}\t").into_bytes();
        input.extend_from_slice(path);
        input.push(0);
        self.git_with_input(&["update-index", "-z", "--add", "--index-info"], &input);
    }
}

/// The bytes of a hexadecimal id.
pub fn unhex(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal")).collect()
}
