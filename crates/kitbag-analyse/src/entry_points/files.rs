//! Routes by file names: Next.js (both routers), Remix and React Router, SvelteKit, Nuxt and Nitro.

use kitbag_types::{Fact, FactKind};

use super::handlers::handler_of;
use super::{EntryKind, EntryPoints, entry, join};
use crate::code::{At, Code};

const METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

pub(super) fn find(code: &Code<'_>, found: &mut EntryPoints) {
    let uses = Uses::of(code);
    for (file, source) in code.files.iter().enumerate() {
        if source.is_test || !matches!(source.language.as_str(), "javascript" | "typescript" | "tsx") {
            continue;
        }
        let path = source.path.as_str();
        let parts: Vec<&str> = path.split('/').collect();
        let Some((name, folders)) = parts.split_last() else {
            continue;
        };
        let (stem, _) = name.rsplit_once('.').unwrap_or((name, ""));
        let reader = Reader { code, file };
        if uses.next {
            if let Some(route) = below(folders, &["app"]).filter(|_| stem == "route" || stem == "page") {
                reader.next_app(&route, stem, found);
            }
            if let Some(route) = below(folders, &["pages"]).filter(|_| !stem.starts_with('_')) {
                reader.next_pages(&route, stem, found);
            }
        }
        if uses.svelte
            && matches!(stem, "+server" | "+page.server" | "+page")
            && let Some(route) = below(folders, &["routes"])
        {
            reader.svelte(&route, stem, found);
        }
        if uses.remix
            && let Some(route) = below(folders, &["app", "routes"])
        {
            reader.remix(&route, stem, found);
        }
        if uses.nuxt
            && let Some(route) = below(folders, &["server", "api"])
        {
            reader.nitro("/api", &route, stem, found);
        }
        if uses.nuxt
            && let Some(route) = below(folders, &["server", "routes"])
        {
            reader.nitro("", &route, stem, found);
        }
    }
}

/// Which frameworks the project imports.
struct Uses {
    next: bool,
    svelte: bool,
    remix: bool,
    nuxt: bool,
}

impl Uses {
    fn of(code: &Code<'_>) -> Self {
        let imports = |modules: &[&str]| {
            code.files.iter().any(|source| {
                source.facts.iter().any(|fact| {
                    fact.kind == FactKind::Import
                        && modules.iter().any(|module| {
                            fact.annotation == *module || fact.annotation.starts_with(&format!("{module}/"))
                        })
                })
            })
        };
        let has = |names: &[&str]| {
            code.files.iter().any(|source| {
                let name = source.path.file_name();
                names.contains(&name)
            })
        };
        Self {
            next: imports(&["next"]) || has(&["next.config.js", "next.config.mjs", "next.config.ts"]),
            svelte: imports(&["@sveltejs/kit", "$app"]) || has(&["svelte.config.js"]),
            remix: imports(&["@remix-run", "@react-router"]),
            nuxt: imports(&["nuxt", "h3", "nitropack", "#imports"])
                || has(&["nuxt.config.ts", "nuxt.config.js", "nitro.config.ts"]),
        }
    }
}

/// The folders after the first place where these stand in a row.
fn below<'p>(folders: &[&'p str], root: &[&str]) -> Option<Vec<&'p str>> {
    let at = folders.windows(root.len()).position(|window| window == root)?;
    Some(folders[at + root.len()..].to_vec())
}

struct Reader<'r, 'c> {
    code: &'r Code<'c>,
    file: usize,
}

impl Reader<'_, '_> {
    fn exported(&self, name: &str) -> Option<At> {
        let is_it = |fact: &Fact| {
            fact.name == name
                && matches!(fact.kind, FactKind::Function | FactKind::Bind | FactKind::Import)
                && (fact.words.contains("export") || fact.kind == FactKind::Bind && fact.words.is_empty())
        };
        let facts = self.code.files[self.file].facts.iter().enumerate();
        let mut own = facts.filter(|(_, fact)| fact.parent.is_none() && is_it(fact));
        let whole = own.next().map(|(fact, _)| At {
            file: self.file,
            fact,
        });
        // `export const { GET, POST } = handlers`.
        whole.or_else(|| {
            let mut facts = self.code.files[self.file].facts.iter().enumerate();
            let unpacked = |fact: &Fact| {
                fact.kind == FactKind::Bind
                    && fact.parent.is_none()
                    && fact.name.starts_with('{')
                    && fact.words.contains("export")
                    && fact
                        .name
                        .split(|c: char| !c.is_alphanumeric() && c != '_')
                        .any(|word| word == name)
            };
            facts.find(|(_, fact)| unpacked(fact)).map(|(fact, _)| At {
                file: self.file,
                fact,
            })
        })
    }

    fn default_export(&self) -> Option<At> {
        crate::code::modules::default_export(self.code, self.file)
    }

    fn tell(&self, at: At, method: &str, route: &str, framework: &'static str, found: &mut EntryPoints) {
        let mut one = entry(self.code, at, EntryKind::Api, framework);
        one.path = self.code.files[self.file].path.clone();
        if at.file != self.file {
            one.line = 1;
        }
        one.method = method.to_owned();
        one.route = join("", route);
        one.handler = handler_of(self.code, at);
        let name = &self.code.fact(at).name;
        one.name = if name.starts_with('{') {
            method.to_owned()
        } else {
            name.clone()
        };
        found.list.push(one);
    }

    fn next_app(&self, route: &[&str], stem: &str, found: &mut EntryPoints) {
        let shown: Vec<&str> = route
            .iter()
            .copied()
            .filter(|part| !(part.starts_with('@') || part.starts_with('(') && part.ends_with(')')))
            .collect();
        if shown.iter().any(|part| part.starts_with('_')) {
            return;
        }
        let path = shown.join("/");
        if stem == "page" {
            if let Some(at) = self.default_export() {
                self.tell(at, "GET", &path, "nextjs", found);
            }
            return;
        }
        for method in METHODS {
            if let Some(at) = self.exported(method) {
                self.tell(at, method, &path, "nextjs", found);
            }
        }
    }

    fn next_pages(&self, route: &[&str], stem: &str, found: &mut EntryPoints) {
        let mut parts = route.to_vec();
        if stem != "index" {
            parts.push(stem);
        }
        if let Some(at) = self.default_export() {
            let method = if route.first() == Some(&"api") {
                "ANY"
            } else {
                "GET"
            };
            self.tell(at, method, &parts.join("/"), "nextjs", found);
        }
    }

    fn svelte(&self, route: &[&str], stem: &str, found: &mut EntryPoints) {
        let shown = route.iter().copied().filter(|part| !part.starts_with('('));
        let path = shown
            .map(|part| {
                part.split('=').next().unwrap_or(part).to_owned() + if part.contains('=') { "]" } else { "" }
            })
            .collect::<Vec<_>>()
            .join("/");
        if stem == "+server" {
            for method in METHODS {
                if let Some(at) = self.exported(method) {
                    self.tell(at, method, &path, "sveltekit", found);
                }
            }
            if let Some(at) = self.exported("fallback") {
                self.tell(at, "ANY", &path, "sveltekit", found);
            }
            return;
        }
        if let Some(at) = self.exported("load") {
            self.tell(at, "GET", &path, "sveltekit", found);
        }
        if let Some(at) = self.exported("actions") {
            self.tell(at, "POST", &path, "sveltekit", found);
        }
    }

    /// Flat names: `users.$id.edit.tsx`, `_auth.login.tsx`, `$.tsx`, `api.items[.]json.ts`; and folders of the same kind.
    fn remix(&self, route: &[&str], stem: &str, found: &mut EntryPoints) {
        if stem.ends_with("_layout") || stem == "layout" {
            return;
        }
        let mut parts: Vec<String> = Vec::new();
        let mut names: Vec<&str> = route.to_vec();
        if stem != "route" && stem != "index" {
            names.push(stem);
        }
        for part in names.iter().flat_map(|name| name.split('.')) {
            match part {
                "_index" | "index" | "route" => {}
                part if part.starts_with('_') => {}
                "$" => parts.push("*".to_owned()),
                part => {
                    let part = part
                        .trim_end_matches('_')
                        .trim_start_matches('(')
                        .trim_end_matches(')');
                    parts.push(
                        part.strip_prefix('$')
                            .map_or(part.to_owned(), |name| format!(":{name}")),
                    );
                }
            }
        }
        let path = parts.join("/");
        if let Some(at) = self.exported("loader").or_else(|| self.default_export()) {
            self.tell(at, "GET", &path, "remix", found);
        }
        if let Some(at) = self.exported("action") {
            self.tell(at, "POST", &path, "remix", found);
        }
    }

    /// `server/api/users/[id].get.ts`.
    fn nitro(&self, base: &str, route: &[&str], stem: &str, found: &mut EntryPoints) {
        let (name, method) = match stem.rsplit_once('.') {
            Some((name, method)) if METHODS.contains(&method.to_uppercase().as_str()) => {
                (name, method.to_uppercase())
            }
            _ => (stem, "ANY".to_owned()),
        };
        let mut parts = route.to_vec();
        if name != "index" {
            parts.push(name);
        }
        if let Some(at) = self.default_export() {
            self.tell(at, &method, &join(base, &parts.join("/")), "nitro", found);
        }
    }
}
