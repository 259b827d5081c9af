//! The name that a manifest gives.

use super::{MANAGERS, name_in};

fn check(file: &str, text: &str, expected: Option<&str>) {
    let manager = MANAGERS.iter().find(|manager| manager.file == file).unwrap();
    assert_eq!(name_in(text, manager).as_deref(), expected, "{file}: {text}");
}

#[test]
fn pkg_3_names_of_manifests() {
    check(
        "Cargo.toml",
        "[package]\nname = \"kitbag-pack\" # ours\nversion = \"1\"\n",
        Some("kitbag-pack"),
    );
    check("Cargo.toml", "[workspace]\nmembers = []\n", None);
    check(
        "Cargo.toml",
        "[package]\nedition = \"2024\"\n[dependencies]\nname = \"other\"\n",
        None,
    );
    check(
        "package.json",
        "{\n  \"name\": \"@shop/cart\",\n  \"version\": \"1.0.0\"\n}",
        Some("@shop/cart"),
    );
    check("pyproject.toml", "[project]\nname = 'cart'\n", Some("cart"));
    check(
        "go.mod",
        "module example.org/shop/cart\n\ngo 1.22\n",
        Some("example.org/shop/cart"),
    );
    check(
        "pom.xml",
        "<project>\n  <artifactId>cart</artifactId>\n</project>",
        Some("cart"),
    );
    check(
        "mix.exs",
        "  def project do\n    [\n      app: :cart,\n",
        Some("cart"),
    );
    check("pyproject.toml", "[tool.x]\nnamespace = \"x\"\n", None);
    check("setup.py", "name = 'x'", None);
    check(
        "Package.swift",
        "let package = Package(\n    name: \"Cart\",\n",
        Some("Cart"),
    );
}
