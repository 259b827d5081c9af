//! The built-in ignore rules (IDX-3). They outrank every ignore file: nothing can negate them.
//!
//! Names that only tools produce are ignored everywhere. `build`, `dist`, `target` and similar are also good names for source
//! folders, so they are ignored only where a tool would put them (at the root or beside a build manifest) *and* git tracks nothing
//! in them: committed files must not vanish because of a folder's name.

/// Folders that never contain source, wherever they are.
const FOLDERS: &[&str] = &[
    ".angular",
    ".aws-sam",
    ".bloop",
    ".bundle",
    ".bzr",
    ".cache",
    ".ccls-cache",
    ".dart_tool",
    ".direnv",
    ".eggs",
    ".elixir_ls",
    ".git",
    ".gradle",
    ".hg",
    ".idea",
    ".ipynb_checkpoints",
    ".jj",
    ".kitbag",
    ".metals",
    ".mypy_cache",
    ".next",
    ".nox",
    ".nuxt",
    ".nyc_output",
    ".output",
    ".parcel-cache",
    ".pnpm-store",
    ".pytest_cache",
    ".ruff_cache",
    ".serverless",
    ".stack-work",
    ".svelte-kit",
    ".svn",
    ".terraform",
    ".tox",
    ".turbo",
    ".venv",
    ".vs",
    ".vscode",
    ".yarn",
    "CVS",
    "DerivedData",
    "Pods",
    "__pycache__",
    "__pypackages__",
    "_darcs",
    "bower_components",
    "jspm_packages",
    "node_modules",
    "venv",
];

/// Hidden folders that describe the project: how it is built, checked and worked on. Others hold caches and private state.
const DESCRIBING_FOLDERS: &[&str] = &[
    ".buildkite",
    ".cargo",
    ".circleci",
    ".clinerules",
    ".config",
    ".devcontainer",
    ".forgejo",
    ".gitea",
    ".github",
    ".gitlab",
    ".husky",
    ".storybook",
    ".woodpecker",
];

/// Folders of coding agents, and the parts of them that describe the project. The rest are settings, which may hold keys, and logs.
const AGENT_FOLDERS: &[(&str, &[&str])] = &[
    (".agents", &["rules", "skills"]),
    (".amazonq", &["rules"]),
    (".augment", &["rules"]),
    (".claude", &["CLAUDE.md", "agents", "commands", "rules", "skills"]),
    (".codex", &["prompts"]),
    (".continue", &["prompts", "rules"]),
    (".cursor", &["commands", "rules"]),
    (".gemini", &["GEMINI.md", "commands"]),
    (".junie", &["guidelines.md"]),
    (".kiro", &["specs", "steering"]),
    (".opencode", &["agent", "agents", "command", "commands"]),
    (".roo", &["rules"]),
    (".windsurf", &["rules", "workflows"]),
];

/// Folders that hold build output, or source: see the module.
const OUTPUT_FOLDERS: &[&str] = &[
    "_build", "build", "coverage", "dist", "htmlcov", "obj", "out", "target",
];

/// Files that show that tools build here.
const BUILD_MANIFESTS: &[&str] = &[
    "CMakeLists.txt",
    "Cargo.toml",
    "Gemfile",
    "Makefile",
    "Package.swift",
    "build.gradle",
    "build.gradle.kts",
    "build.sbt",
    "composer.json",
    "deno.json",
    "dune-project",
    "go.mod",
    "meson.build",
    "mix.exs",
    "package.json",
    "pom.xml",
    "pubspec.yaml",
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "stack.yaml",
    "tsconfig.json",
];
const BUILD_MANIFEST_ENDINGS: &[&str] = &[".cabal", ".csproj", ".fsproj", ".sln", ".vbproj", ".vcxproj"];

/// Files that mark their whole folder as not source.
const FOLDER_MARKERS: &[&str] = &["CACHEDIR.TAG", "pyvenv.cfg"];

/// Lock files: long, generated, and full of words that compete with those of the source.
const FILES: &[&str] = &[
    ".DS_Store",
    ".pnp.cjs",
    ".pnp.loader.mjs",
    "Cargo.lock",
    "Gemfile.lock",
    "Manifest.toml.lock",
    "Package.resolved",
    "Pipfile.lock",
    "Podfile.lock",
    "bun.lock",
    "bun.lockb",
    "composer.lock",
    "conan.lock",
    "deno.lock",
    "flake.lock",
    "go.sum",
    "go.work.sum",
    "gradle.lockfile",
    "mix.lock",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "packages.lock.json",
    "pdm.lock",
    "pixi.lock",
    "pnpm-lock.yaml",
    "poetry.lock",
    "pubspec.lock",
    "rebar.lock",
    "uv.lock",
    "yarn.lock",
];

/// Minified, bundled and generated files.
const ENDINGS: &[&str] = &[
    ".bundle.js",
    ".chunk.css",
    ".chunk.js",
    ".cjs.map",
    ".css.map",
    ".freezed.dart",
    ".g.cs",
    ".g.dart",
    ".gen.go",
    ".gen.ts",
    ".js.map",
    ".min.cjs",
    ".min.css",
    ".min.html",
    ".min.js",
    ".min.mjs",
    ".mjs.map",
    ".pb.cc",
    ".pb.go",
    ".pb.gw.go",
    ".pb.h",
    ".pbobjc.h",
    ".pbobjc.m",
    ".ts.map",
    ".tsbuildinfo",
    "_generated.go",
    "_grpc.pb.go",
    "_pb2.py",
    "_pb2.pyi",
    "_pb2_grpc.py",
];

/// Formats that are not text (IDX-4). Extensions that text uses too (`.dat`, `.mo` of Modelica, `.obj`) are not listed: binary
/// files with such a name are recognised when they are read.
const BINARY_EXTENSIONS: &[&str] = &[
    "7z",
    "a",
    "aac",
    "accdb",
    "aiff",
    "apk",
    "ar",
    "arrow",
    "asar",
    "avi",
    "avif",
    "avro",
    "bin",
    "blend",
    "bmp",
    "bz2",
    "cab",
    "ckpt",
    "class",
    "crx",
    "cur",
    "db",
    "db3",
    "deb",
    "dex",
    "dll",
    "dmg",
    "doc",
    "docx",
    "dylib",
    "ear",
    "eot",
    "epub",
    "exe",
    "fbx",
    "feather",
    "flac",
    "flv",
    "gguf",
    "gif",
    "glb",
    "gz",
    "h5",
    "hdf5",
    "heic",
    "icns",
    "ico",
    "ipa",
    "iso",
    "jar",
    "jfif",
    "jks",
    "joblib",
    "jp2",
    "jpeg",
    "jpg",
    "keystore",
    "ko",
    "lz",
    "lz4",
    "lzma",
    "m4a",
    "m4v",
    "mdb",
    "mid",
    "midi",
    "mkv",
    "mov",
    "mp3",
    "mp4",
    "mpeg",
    "mpg",
    "msi",
    "nib",
    "node",
    "npy",
    "npz",
    "o",
    "odp",
    "ods",
    "odt",
    "ogg",
    "ogv",
    "onnx",
    "opus",
    "otf",
    "p12",
    "parquet",
    "pdb",
    "pdf",
    "pfx",
    "pickle",
    "pkl",
    "png",
    "ppt",
    "pptx",
    "psd",
    "pt",
    "pth",
    "pyc",
    "pyd",
    "pyo",
    "rar",
    "rlib",
    "rmeta",
    "rpm",
    "safetensors",
    "so",
    "sqlite",
    "sqlite3",
    "swf",
    "tar",
    "tbz2",
    "tflite",
    "tgz",
    "tif",
    "tiff",
    "ttc",
    "ttf",
    "txz",
    "wasm",
    "wav",
    "webm",
    "webp",
    "whl",
    "wma",
    "wmv",
    "woff",
    "woff2",
    "xls",
    "xlsm",
    "xlsx",
    "xz",
    "zip",
    "zst",
];

/// The rule that excludes a folder of this name wherever it is.
pub(crate) fn folder_rule(name: &str) -> Option<&str> {
    (FOLDERS.binary_search(&name).is_ok() || name.ends_with(".egg-info")).then_some(name)
}

/// The rule that excludes an entry because it is a hidden folder, or is in one of which only a part describes the project. `parent`
/// is the name of its folder.
pub(crate) fn hidden_rule(parent: &str, name: &str, is_folder: bool) -> Option<String> {
    if let Some((folder, parts)) = part_of(parent)
        && !parts.contains(&name)
    {
        return Some(format!(
            "hidden folder: {folder}, of which only {} are indexed",
            parts.join(", ")
        ));
    }
    let is_out = is_folder
        && name.starts_with('.')
        && DESCRIBING_FOLDERS.binary_search(&name).is_err()
        && part_of(name).is_none();
    is_out.then(|| format!("hidden folder: {name}"))
}

pub(crate) fn is_agent_folder(name: &str) -> bool {
    part_of(name).is_some()
}

fn part_of(folder: &str) -> Option<&'static (&'static str, &'static [&'static str])> {
    AGENT_FOLDERS.iter().find(|(known, _)| *known == folder)
}

pub(crate) fn is_output_folder(name: &str) -> bool {
    OUTPUT_FOLDERS.contains(&name)
}

pub(crate) fn is_build_manifest(name: &str) -> bool {
    BUILD_MANIFESTS.binary_search(&name).is_ok()
        || BUILD_MANIFEST_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

pub(crate) fn folder_marker(name: &str) -> Option<&'static str> {
    FOLDER_MARKERS.iter().copied().find(|marker| *marker == name)
}

/// The rule that excludes a file of this name.
pub(crate) fn file_rule(name: &str) -> Option<String> {
    if FILES.binary_search(&name).is_ok() {
        return Some(name.to_owned());
    }
    if let Some(ending) = ENDINGS.iter().find(|ending| name.ends_with(*ending)) {
        return Some(format!("*{ending}"));
    }
    if name.contains(".generated.") {
        return Some("*.generated.*".to_owned());
    }
    name.starts_with("zz_generated")
        .then(|| "zz_generated*".to_owned())
}

/// Files whose name says that they are private.
pub(crate) fn never_rule(name: &str) -> Option<&'static str> {
    let ends = |ending: &str| {
        name.len() >= ending.len()
            && name.as_bytes()[name.len() - ending.len()..].eq_ignore_ascii_case(ending.as_bytes())
    };
    if ends(".private") {
        Some("*.private")
    } else if ends(".secret") {
        Some("*.secret")
    } else {
        None
    }
}

/// The extension, if it is that of a binary format.
pub(crate) fn binary_extension(name: &str) -> Option<&'static str> {
    let (stem, extension) = name.rsplit_once('.')?;
    if stem.is_empty() || extension.len() > 11 {
        return None;
    }
    let extension = extension.to_ascii_lowercase();
    BINARY_EXTENSIONS
        .binary_search(&extension.as_str())
        .ok()
        .map(|idx| BINARY_EXTENSIONS[idx])
}

#[cfg(test)]
mod tests;
