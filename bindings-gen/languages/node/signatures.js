// What stands in a signature, the line of text that describes a C function or callback
// (bindings-gen/ctorchgen/emit/signatures.py).

function parseWord(word) {
  if (word.startsWith(">")) {
    const [, name, kind, type, optional] = /^>(\w+):(\w+):(\w+)(\??)$/.exec(word);
    return { name, kind, type, result: true, optional: optional !== "" };
  }
  const [, name, kind, type, rest] = /^(\w+):(\w+):(\w+)(.*)$/.exec(word);
  const fallback = /^=([^[?~*]+)/.exec(rest);
  return {
    name,
    kind,
    type,
    fallback: fallback === null ? undefined : JSON.parse(fallback[1]),
    fixed: Number(/\[(\d+)\]/.exec(rest)?.[1] ?? 0),
    optional: /[?~]/.test(rest),
    mustBeSaid: rest.includes("~"),
    keywordOnly: rest.includes("*"),
  };
}

export function parse(signature, where = "") {
  const [head, tail] = signature.split(" -> ");
  const [returned, ...words] = head.split(" ");
  const parsed = { words: words.map(parseWord), returns: tail?.split(" ") ?? [] };
  parsed.words.forEach((word, i) => {
    word.where = `${where}: ${word.name}`;
    const next = parsed.words[i + 1];
    if (word.result && word.kind === "string" && next?.result && next.name === `${word.name}_len`) {
      word.length = next; // there may be NUL inside
    }
  });
  [parsed.returned, parsed.returnedType] = returned.split(":");
  const given = (word) =>
    (!word.result || word.kind === "buffer") && !["payload", "destroy", "never"].includes(word.kind);
  parsed.arguments = parsed.words.filter(given);
  parsed.positional = parsed.arguments.filter((word) => !word.keywordOnly);
  parsed.index = new Map(parsed.arguments.map((word, i) => [word.name, i]));
  parsed.arguments.forEach((word, i) => {
    word.index = i;
  });
  const has = (kind) => parsed.words.some((word) => word.kind === kind);
  parsed.lends = has("address") && has("destroy"); // memory that C uses until it calls the function that destroys
  parsed.holds = has("payload") && (has("callback") || parsed.lends);
  return parsed;
}
