// Counts tokens for audit.py with a tokenizer that is not ours (js-tiktoken, which carries its vocabularies). Reads JSON lines
// {"family": "o200k" | "cl100k", "text": …} and answers each with a number on a line of its own.

import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.argv[2], 'package.json'));
const { Tiktoken } = require('js-tiktoken/lite');
const vocabularies = { o200k: 'js-tiktoken/ranks/o200k_base', cl100k: 'js-tiktoken/ranks/cl100k_base' };
const counters = new Map();

function counter(family) {
  if (!counters.has(family)) counters.set(family, new Tiktoken(require(vocabularies[family])));
  return counters.get(family);
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { family, text } = JSON.parse(line);
  // Names of special tokens in a file are text like any other.
  console.log(counter(family).encode(text, [], []).length);
}
