//! What never gets into a pack, and what must not be excluded by mistake (PACK-2).

use kitbag_testkit::TempTree;
use kitbag_types::{RepoPath, Timestamp};

use crate::secrets::SecretRules;
use crate::{BoundaryOptions, RepoError, Skip, SkipReason, Tree, Verdict};

fn denying(patterns: &[&str]) -> (TempTree, Tree) {
    let tree = TempTree::empty();
    let opened = open(&tree, patterns).unwrap();
    (tree, opened)
}

fn open(tree: &TempTree, patterns: &[&str]) -> Result<Tree, RepoError> {
    let options = BoundaryOptions {
        denied_paths: patterns.iter().map(|pattern| (*pattern).to_owned()).collect(),
        ..BoundaryOptions::default()
    };
    Tree::open(tree.root(), options, SecretRules::off())
}

/// The filter checks the list, so a denied file is neither scanned nor read, whatever an ignore file says (SEC-7).
#[test]
fn sec_7_denied_files_are_not_indexed() {
    let tree = TempTree::new(
        "//- .env\nA=1\n//- .env.example\nA=\n//- certs/server.pem\nx\n//- certs/ca.pem\nx\n//- src/a.rs\nfn a() {}\n\
         //- vault/a.txt\nx\n//- vault/deep/b.txt\nx\n//- .gitignore\n.env\n",
    );
    let check = |patterns: &[&str], expected: &[(&str, &str)], n_files: usize| {
        let opened = open(&tree, patterns).unwrap();
        let scan = opened.scan(Timestamp(0)).unwrap();
        assert_eq!(scan.files.len(), n_files, "{:?}", scan.files);
        let skipped: Vec<(&str, &str)> = scan
            .skipped
            .iter()
            .filter(|(_, skip)| skip.reason == SkipReason::Denied)
            .map(|(path, skip)| (path.as_str(), skip.detail.as_str()))
            .collect();
        assert_eq!(skipped, expected);
        for (path, detail) in expected.iter().filter(|(path, _)| path.contains('.')) {
            let path = RepoPath::new(*path).unwrap();
            let denied = Skip::new(SkipReason::Denied, *detail);
            assert_eq!(opened.check(&path).unwrap(), Verdict::Skipped(denied));
            assert!(opened.read(&path).is_err());
        }
    };
    let built_in = (".env", "deny-list: .env*");
    let pem = "deny-list: *.pem";
    check(
        &[],
        &[built_in, ("certs/ca.pem", pem), ("certs/server.pem", pem)],
        5,
    );
    // Without an exception the walk does not enter a denied folder; with one it must.
    let vault = "denied_paths:1: vault/";
    let found = [
        built_in,
        ("certs/ca.pem", pem),
        ("certs/server.pem", pem),
        ("vault", vault),
    ];
    check(&["vault/"], &found, 3);
    let found = [built_in, ("certs/server.pem", pem), ("vault/a.txt", vault)];
    check(&["vault/", "!vault/deep/b.txt", "!certs/ca.pem"], &found, 5);
}

/// An index that was made without a rule is checked again when there is one (IDX-8).
#[test]
fn sec_7_a_new_denied_path_is_a_new_boundary() {
    let tree = TempTree::new("//- a.rs\n1\n//- b.rs\n2\n");
    let old = open(&tree, &[]).unwrap().scan(Timestamp(0)).unwrap();
    let denying = open(&tree, &["b.rs"]).unwrap();
    let new = denying.rescan(&old, Timestamp(1)).unwrap();
    assert_ne!(old.boundary, new.boundary);
    let paths: Vec<&str> = new.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["a.rs"]);
}

fn rule(patterns: &[&str], path: &str) -> String {
    let (_folder, tree) = denying(patterns);
    tree.denied(&RepoPath::new(path).unwrap())
        .unwrap_or_else(|| "readable".to_owned())
}

#[test]
fn pack_2_the_list() {
    for (path, expected) in [
        (".env", "deny-list: .env*"),
        ("app/.env.production", "deny-list: .env*"),
        (".env.local", "deny-list: .env*"),
        (".envrc", "deny-list: .env*"),
        (".ENV", "deny-list: .env*"),
        ("deploy/prod.env", "deny-list: *.env"),
        // The word for an example does not allow a real file.
        (".env.default.production", "deny-list: .env*"),
        (".env.default", "deny-list: .env*"),
        (".env-dist-secrets", "deny-list: .env*"),
        (".env.sample.local", "deny-list: .env*"),
        ("default.env", "deny-list: *.env"),
        ("example.prod.env", "deny-list: *.env"),
        (".ssh/.env.example", "deny-list: .ssh/"),
        // Backups of backups.
        (".pgpass.bak.1", "deny-list: .pgpass"),
        ("server.pem.1", "deny-list: *.pem"),
        ("server.key.bak2", "deny-list: *.key"),
        ("server.key~", "deny-list: *.key"),
        (".aws/credentials.old", "deny-list: .aws/credentials"),
        ("kubeconfig", "deny-list: kubeconfig"),
        ("kubeconfig.yaml", "deny-list: kubeconfig*"),
        ("kubeconfig-prod", "deny-list: kubeconfig*"),
        ("htpasswd", "deny-list: htpasswd"),
        (".vault_pass", "deny-list: .vault_pass*"),
        (".vault_pass.txt", "deny-list: .vault_pass*"),
        (".vault-pass", "deny-list: .vault-pass*"),
        (".dockerconfigjson", "deny-list: .dockerconfigjson"),
        ("infra/terraform.tfvars", "deny-list: *.tfvars"),
        ("infra/prod.auto.tfvars", "deny-list: *.tfvars"),
        ("infra/terraform.tfvars.json", "deny-list: *.tfvars.json"),
        ("gcp/prod-credentials.json", "deny-list: *credentials.json"),
        ("jenkins/credentials.xml", "deny-list: credentials.xml"),
        (".netrc", "deny-list: .netrc"),
        ("_netrc", "deny-list: _netrc"),
        (".npmrc", "deny-list: .npmrc"),
        (".pypirc", "deny-list: .pypirc"),
        (".git-credentials", "deny-list: .git-credentials"),
        (".git", "deny-list: .git/"),
        (".git/config", "deny-list: .git/"),
        ("sub/.git/config", "deny-list: .git/"),
        (".GIT/config", "deny-list: .git/"),
        ("id_rsa", "deny-list: id_rsa*"),
        ("keys/id_rsa.pub", "deny-list: id_rsa*"),
        ("id_ed25519", "deny-list: id_ed25519*"),
        ("id_ed25519_work", "deny-list: id_ed25519*"),
        ("id_ecdsa_sk", "deny-list: id_ecdsa*"),
        ("id_dsa", "deny-list: id_dsa*"),
        ("tls/server.pem", "deny-list: *.pem"),
        ("tls/Server.PEM", "deny-list: *.pem"),
        ("tls/server.pem.bak", "deny-list: *.pem"),
        ("server.key", "deny-list: *.key"),
        ("a.p12", "deny-list: *.p12"),
        ("a.pfx", "deny-list: *.pfx"),
        ("a.jks", "deny-list: *.jks"),
        ("android/release.keystore", "deny-list: *.keystore"),
        ("infra/terraform.tfstate", "deny-list: *.tfstate"),
        ("infra/terraform.tfstate.backup", "deny-list: *.tfstate"),
        ("credentials.json", "deny-list: credentials.json"),
        ("gcp/service-account.json", "deny-list: service-account*.json"),
        (
            "gcp/service-account-prod.json",
            "deny-list: service-account*.json",
        ),
        ("service_account.json", "deny-list: service_account*.json"),
        ("client_secret_123.json", "deny-list: client_secret*.json"),
        (".aws/credentials", "deny-list: .aws/credentials"),
        ("home/.aws/config", "deny-list: .aws/config"),
        (".kube/config", "deny-list: .kube/config"),
        (".docker/config.json", "deny-list: .docker/config.json"),
        (".ssh/known_hosts", "deny-list: .ssh/"),
        ("dotfiles/.ssh/config", "deny-list: .ssh/"),
        (".gnupg/trustdb", "deny-list: .gnupg/"),
        ("notes.private", "deny-list: *.private"),
        ("x.secret", "deny-list: *.secret"),
    ] {
        assert_eq!(rule(&[], path), expected, "{path}");
    }
}

#[test]
fn pack_2_neighbours_stay_readable() {
    for path in [
        ".env.example",
        ".env.sample",
        ".env.template",
        ".env.dist",
        ".env.local.example",
        ".env-example",
        "example.env",
        ".env.example.txt",
        ".env.example.bak",
        "infra/terraform.tfvars.example",
        "infra/example.tfvars",
        "src/kubeconfig.go",
        "src/kubeconfig_test.go",
        ".yarnrc.yml",
        "notes.1",
        "src/htpasswd.rs",
        "src/env.rs",
        "src/dotenv.ts",
        "src/environment.py",
        "src/key.rs",
        "src/keystore/mod.rs",
        "src/credentials.rs",
        "src/service-account.ts",
        "docs/id_rsa_guide/intro.md",
        "src/pem/parse.rs",
        "aws/credentials",
        "x.aws/credentials",
        ".aws/task-definition.json",
        "kube/config",
        ".docker/Dockerfile",
        "ssh/config",
        ".gitignore",
        ".gitattributes",
        ".github/workflows/ci.yml",
        "tsconfig.json",
        "ca.crt",
        "private.rs",
    ] {
        assert_eq!(rule(&[], path), "readable", "{path}");
    }
}

#[test]
fn pack_2_the_configuration_adds_and_excepts() {
    let patterns = ["vault/", "*.dump", "!tests/*.pem", "/top.txt"];
    for (path, expected) in [
        ("vault/a/b.txt", "denied_paths:1: vault/"),
        ("x/vault/a.txt", "denied_paths:1: vault/"),
        ("vault", "readable"), // a file of that name is not a folder
        ("a.dump", "denied_paths:2: *.dump"),
        ("top.txt", "denied_paths:4: /top.txt"),
        ("x/top.txt", "readable"),
        ("tests/ca.pem", "readable"),
        ("other/ca.pem", "deny-list: *.pem"),
    ] {
        assert_eq!(rule(&patterns, path), expected, "{path}");
    }
    // Some paths can never be allowed.
    assert_eq!(rule(&["!**", "!.git/config"], ".git/config"), "deny-list: .git/");
    assert_eq!(rule(&["!*.private"], "a.private"), "deny-list: *.private");
}

#[test]
fn cfg_3_a_pattern_that_cannot_match_is_refused() {
    let tree = TempTree::empty();
    let error = open(&tree, &["[a-"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the pattern `[a-` in denied_paths can never match: a `[` is not closed"
    );
}
