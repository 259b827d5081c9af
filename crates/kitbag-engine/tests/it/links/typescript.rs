//! TypeScript: imports and what modules pass on, classes, interfaces, written and inferred types, `this`.

use super::check;

#[test]
fn idx_23_typescript_imports_and_what_modules_pass_on() {
    check(
        r#"
//- package.json
{ "name": "root" }
//- packages/core/package.json
{
  "name": "@acme/core"
}
//- packages/core/src/index.ts
export * from './shapes.js'
export { make as build } from './make'
export * as util from './util'
export default function start() {}
//- packages/core/src/shapes.ts
export class Shape {
  area(): number { return 0 }
}
//- packages/core/src/make.ts
import { Shape } from './shapes'
export function make(): Shape { return new Shape() }
const inner = () => new Shape()
export { inner as outer }
//- packages/core/src/util/index.ts
export const clean = (x: string) => x.trim()
//- app/main.ts
import start, { build, Shape as S, util } from '@acme/core'
import * as core from '../packages/core/src/index'
import { outer } from '../packages/core/src/make'
import { readFile } from 'node:fs'
import { mapped } from '@/mapped'

start()
build().area()
new S().area()
util.clean('a')
core.util.clean('b')
outer().area()
readFile('x')
mapped()
"#,
        &[
            "app/main.ts:7 start import packages/core/src/index.ts:4",
            "app/main.ts:8 area type packages/core/src/shapes.ts:2",
            "app/main.ts:8 build import packages/core/src/make.ts:2",
            "app/main.ts:9 Shape import packages/core/src/shapes.ts:1",
            "app/main.ts:9 area type packages/core/src/shapes.ts:2",
            "app/main.ts:10 clean import packages/core/src/util/index.ts:1",
            "app/main.ts:11 clean import packages/core/src/util/index.ts:1",
            "app/main.ts:12 area type packages/core/src/shapes.ts:2",
            "app/main.ts:12 outer import packages/core/src/make.ts:3",
            "app/main.ts:13 readFile outside",
            "app/main.ts:14 mapped name 0",
            "packages/core/src/make.ts:2 Shape import packages/core/src/shapes.ts:1",
            "packages/core/src/make.ts:3 Shape import packages/core/src/shapes.ts:1",
            "packages/core/src/util/index.ts:1 trim name 0",
        ],
    );
}

#[test]
fn idx_23_typescript_members_of_written_and_inferred_types() {
    check(
        r#"
//- a.ts
interface Logger {
  log(text: string): void
}

class Base {
  save() {}
}

class Store extends Base {
  private cache = new Base()
  constructor(private logger: Logger, plain: Logger) { super() }
  get last(): Base { return this.cache }
  save() {
    super.save()
    this.logger.log('x')
    this.cache.save()
    this.last.save()
    this.list().save()
    ;[1].map(() => this.save())
    return function () { this.save() }
  }
  list(): Base { return this.cache }
}

export function use(store: Store, maybe: Store | undefined, all: Store[], any) {
  store.save()
  maybe.save()
  all.save()
  any.save()
  const one = store.list()
  one.save()
  const text = `x`
  text.trim()
  const save = () => 1
  save()
  return { save() { save() } }
}
"#,
        &[
            "a.ts:10 Base scope a.ts:5",
            "a.ts:14 save inherited a.ts:6",
            "a.ts:15 log type a.ts:2",
            "a.ts:16 save type a.ts:6",
            "a.ts:17 save type a.ts:6",
            "a.ts:18 list self a.ts:22",
            "a.ts:18 save type a.ts:6",
            "a.ts:19 map outside",
            "a.ts:19 save self a.ts:13",
            "a.ts:20 save name 2",
            "a.ts:26 save type a.ts:13",
            "a.ts:27 save type a.ts:13",
            "a.ts:28 save name 2",
            "a.ts:29 save name 2",
            "a.ts:30 list type a.ts:22",
            "a.ts:31 save type a.ts:6",
            "a.ts:33 trim outside",
        ],
    );
}

#[test]
fn idx_23_javascript_assignments_from_further_in_count() {
    check(
        r#"
//- a.js
class A {
  go() {}
}
class B {
  go() {}
}
let cur = new A()
function swap() {
  cur = new B()
}
cur.go()
function inner(c) {
  let w = new A()
  if (c) {
    w = new B()
  }
  w.go()
  const same = new A()
  same.go()
  let one = new A()
  if (c) {
    [one] = c
  }
  one.go()
}
"#,
        &[
            "a.js:7 A scope a.js:1",
            "a.js:9 B scope a.js:4",
            "a.js:11 go name 2",
            "a.js:13 A scope a.js:1",
            "a.js:15 B scope a.js:4",
            "a.js:17 go name 2",
            "a.js:18 A scope a.js:1",
            "a.js:19 go type a.js:2",
            "a.js:20 A scope a.js:1",
            "a.js:24 go name 2",
        ],
    );
}
