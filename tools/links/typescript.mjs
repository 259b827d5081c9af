// The links of a TypeScript or JavaScript project as the TypeScript compiler sees them, for comparison with Kitbag's.
//
//     node typescript.mjs REPO > oracle.jsonl        (the npm package `typescript` where node finds it)
//
// All files of the project are one program. Packages of a workspace are found by the names in their package.json files: their sources take
// the place of what is built from them. What comes out is described in README.md.

import fs from 'node:fs'
import path from 'node:path'
import { createRequire } from 'node:module'

const ts = createRequire(path.join(process.cwd(), 'x.js'))('typescript')
const root = fs.realpathSync(process.argv[2])
const SKIP = new Set(['node_modules', '.git', 'dist', 'dist-node', 'build', 'coverage', '.next'])

function* walk(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (SKIP.has(entry.name)) continue
    const full = path.join(folder, entry.name)
    if (entry.isDirectory()) yield* walk(full)
    else if (entry.isFile()) yield full
  }
}

const files = [...walk(root)]
const sources = files.filter((file) => /\.(ts|tsx|mts|cts|js|jsx|mjs|cjs)$/.test(file) && !file.endsWith('.min.js'))
const base = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }
const options = {
  ...base, allowJs: true, checkJs: false, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, resolveJsonModule: true,
  jsx: ts.JsxEmit.Preserve, strict: true, types: [], lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'], experimentalDecorators: true,
}

// The name of each package of the workspace → its folder, and what its tsconfig files say about `paths`.
const packages = new Map()
const aliases = []
for (const file of files) {
  if (path.basename(file) === 'package.json') {
    try {
      const { name } = JSON.parse(fs.readFileSync(file, 'utf8'))
      if (name && !packages.has(name)) packages.set(name, path.dirname(file))
    } catch {}
  } else if (/^tsconfig.*\.json$/.test(path.basename(file))) {
    const config = ts.readConfigFile(file, ts.sys.readFile).config?.compilerOptions
    const start = path.join(path.dirname(file), config?.baseUrl ?? '.')
    for (const [pattern, to] of Object.entries(config?.paths ?? {})) aliases.push({ pattern, to: to.map((one) => path.join(start, one)), under: path.dirname(file) })
  }
}

const ENDS = ['', '.ts', '.tsx', '.d.ts', '.js', '.jsx', '.mjs', '/index.ts', '/index.tsx', '/index.js', '/src/index.ts', '/src/index.tsx', '/index.d.ts', '/lib/index.js']
function first(candidates) {
  for (const candidate of candidates) {
    for (const end of ENDS) {
      const file = candidate + end
      if (fs.existsSync(file) && fs.statSync(file).isFile()) return file
    }
    const swapped = candidate.replace(/\.(c|m)?js(x?)$/, '.$1ts$2')
    if (swapped !== candidate && fs.existsSync(swapped)) return swapped
  }
}

function inWorkspace(name, from) {
  for (const { pattern, to, under } of aliases) {
    if (!from.startsWith(under + path.sep)) continue
    const star = pattern.indexOf('*')
    if (star < 0 ? name === pattern : name.startsWith(pattern.slice(0, star)) && name.endsWith(pattern.slice(star + 1))) {
      const middle = star < 0 ? '' : name.slice(star, name.length - (pattern.length - star - 1))
      const found = first(to.map((one) => one.replace('*', middle)))
      if (found) return found
    }
  }
  const parts = name.split('/')
  const head = name.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]
  const folder = packages.get(head)
  if (!folder) return
  const rest = name.slice(head.length + 1)
  return first(rest ? [path.join(folder, 'src', rest), path.join(folder, rest)] : [path.join(folder, 'src/index'), path.join(folder, 'index'), folder])
}

const host = ts.createCompilerHost(options, true)
const cache = ts.createModuleResolutionCache(root, (x) => x, options)
host.resolveModuleNameLiterals = (literals, containing) =>
  literals.map((literal) => {
    const found = ts.resolveModuleName(literal.text, containing, options, host, cache)
    if (found.resolvedModule && !found.resolvedModule.isExternalLibraryImport) return found
    const file = literal.text.startsWith('.') ? undefined : inWorkspace(literal.text, containing)
    return file ? { resolvedModule: { resolvedFileName: file, extension: path.extname(file), isExternalLibraryImport: false } } : found
  })

const program = ts.createProgram(sources, options, host)
const checker = program.getTypeChecker()
const relative = (file) => path.relative(root, file)

function place(declaration) {
  const file = declaration.getSourceFile()
  const name = ts.getNameOfDeclaration(declaration) ?? declaration
  let outer = declaration
  if (ts.isVariableDeclaration(outer)) outer = outer.parent.parent
  const line = (at) => file.getLineAndCharacterOfPosition(at).line + 1
  return { file: relative(file.fileName), line: line(name.getStart(file)), first: line(outer.getStart(file)) }
}

// What a function declares for itself: parameters, variables, functions and classes inside it.
function isLocal(declaration) {
  if (ts.isParameter(declaration)) return !ts.isParameterPropertyDeclaration(declaration, declaration.parent)
  if (ts.isTypeParameterDeclaration(declaration)) return true
  const own = ts.isVariableDeclaration(declaration) || ts.isBindingElement(declaration) || ts.isFunctionDeclaration(declaration) || ts.isClassDeclaration(declaration)
  for (let node = own && declaration.parent; node; node = node.parent) if (ts.isFunctionLike(node)) return true
  return false
}

function kind(declaration) {
  if (ts.isClassLike(declaration) || ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration) || ts.isEnumDeclaration(declaration)) return 'class'
  if (ts.isFunctionLike(declaration)) return 'function'
  const value = declaration.initializer
  if (value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value))) return 'function'
  return 'variable'
}

function resolve(node) {
  let symbol = checker.getSymbolAtLocation(node)
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol)
  const declarations = symbol?.declarations ?? []
  if (!declarations.length) return { where: 'unknown' }
  const inside = declarations.filter((one) => !/[\\/]node_modules[\\/]/.test(one.getSourceFile().fileName) && !relative(one.getSourceFile().fileName).startsWith('..'))
  if (!inside.length) return { where: 'outside', symbol: checker.getFullyQualifiedName(symbol) }
  const kinds = inside.map(kind)
  return { where: inside.every(isLocal) ? 'local' : 'inside', target_kind: ['class', 'function', 'variable'].find((one) => kinds.includes(one)), targets: inside.map(place) }
}

function name(node) {
  while (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node)) node = node.expression
  if (ts.isIdentifier(node)) return node
  if (ts.isPropertyAccessExpression(node)) return node.name
}

const out = []
function add(kind, node, file) {
  if (!node) return
  const at = file.getLineAndCharacterOfPosition(node.getStart(file))
  out.push(JSON.stringify({ kind, file: relative(file.fileName), line: at.line + 1, column: at.character + 1, name: node.text, ...resolve(node) }))
}

for (const file of program.getSourceFiles()) {
  if (!sources.includes(file.fileName)) continue
  const visit = (node) => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) add('call', name(node.expression), file)
    else if (ts.isTypeReferenceNode(node)) add('type', ts.isIdentifier(node.typeName) ? node.typeName : node.typeName.right, file)
    else if (ts.isHeritageClause(node)) for (const base of node.types) add('inherit', name(base.expression), file)
    ts.forEachChild(node, visit)
  }
  visit(file)
}
process.stdout.write(out.join('\n') + '\n')
