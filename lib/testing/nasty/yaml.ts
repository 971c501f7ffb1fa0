import { card, type Files, folderFamily, many, type NastyFamily } from './family';

/** Inputs with YAML of every shape, as a card and as an ordinary file. */
export const nastyYaml: readonly NastyFamily[] = [
  yaml('fields that no card has', 100_000, (size) => many(size / 10, (i) => `x${i}: 1\n`)),
  yaml('one key again and again', 100_000, (size) => many(size / 8, () => 'name: a\n')),
  yaml('aliases of one list', 100_000, (size) => `variables: &v [a]\nx:\n${'  - *v\n'.repeat(size / 7)}`),
  yaml('children by alias', 60_000, (size) => `variables: &v [${many(size / 8, (i) => `c${i}, `)}]\nagents: *v`),
  yaml('aliases of aliases', 20_000, (size) =>
    many(size / 60, (i) => `a${i}: &a${i} [${i === 0 ? 'lol' : `*a${i - 1}, *a${i - 1}, *a${i - 1}, *a${i - 1}`}]\n`),
  ),
  yaml(
    'aliases of one long text',
    100_000,
    (size) => `description: &d ${'x'.repeat(size / 2)}\nagents: [${'*d, '.repeat(size / 8)}]`,
  ),
  yaml(
    'aliases of a blank text',
    60_000,
    (size) =>
      `description: &d '${' '.repeat(size / 2)}'\nfunction_tools: [${'{ variant: *d, entrypoint: "a.py:f" }, '.repeat(size / 80)}]`,
  ),
  yaml(
    'merges',
    60_000,
    (size) =>
      `base: &b { ${many(size / 20, (i) => `k${i}: 1, `)} }\nx:\n${many(size / 40, (i) => `  y${i}:\n    <<: *b\n`)}`,
  ),
  yaml('anchors', 100_000, (size) => many(size / 14, (i) => `x${i}: &a${i} 1\n`)),
  yaml('comments', 200_000, (size) => '# a\n'.repeat(size / 4)),
  yaml('comments between entries', 100_000, (size) => `agents:\n${many(size / 12, (i) => `  # a\n  - c${i}\n`)}`),
  yaml('blank lines', 200_000, (size) => `name: a${'\n'.repeat(size)}`),
  yaml('a quoted text of many lines', 200_000, (size) => `description: "${'a\n\n  '.repeat(size / 6)}"`),
  yaml('escapes', 200_000, (size) => `description: "${'\\n\\u0041'.repeat(size / 8)}"`),
  yaml('a plain text of many lines', 200_000, (size) => `description: a\n${'  b\n'.repeat(size / 4)}`),
  yaml('a literal block', 200_000, (size) => `description: |\n${'  b\n\n'.repeat(size / 5)}`),
  yaml('a folded block', 200_000, (size) => `description: >\n${'  b\n   c\n\n'.repeat(size / 10)}`),
  yaml('spaces', 200_000, (size) => `name:${' '.repeat(size)}a`),
  yaml('tabs', 200_000, (size) => `name: a\n${'\t'.repeat(size)}b`),
  yaml('an open quote', 200_000, (size) => `name: "${'a: b\n'.repeat(size / 5)}`),
  yaml('an open bracket', 60_000, (size) => `agents: [${'a, '.repeat(size / 3)}`),
  yaml('deep brackets', 100_000, (size) => `agents: ${'['.repeat(size)}`),
  yaml('deep dashes', 100_000, (size) => `agents:\n  ${'- '.repeat(size / 2)}a`),
  yaml('deep indentation', 60_000, (size) => many(Math.sqrt(size), (i) => `${' '.repeat(i)}a:\n`)),
  yaml('documents', 60_000, (size) => '---\na: 1\n'.repeat(size / 9)),
  yaml('ends of documents', 60_000, (size) => 'a: 1\n...\n'.repeat(size / 9)),
  yaml('directives', 60_000, (size) => `${'%TAG ! tag:a,2000:\n'.repeat(size / 19)}---\na: 1`),
  yaml('tags', 60_000, (size) => many(size / 16, (i) => `x${i}: !!str a\n`)),
  yaml('unknown tags', 60_000, (size) => many(size / 16, (i) => `x${i}: !t${i} a\n`)),
  yaml('keys with a question mark', 60_000, (size) => many(size / 14, (i) => `? x${i}\n: 1\n`)),
  yaml('colons', 60_000, (size) => 'a: b: c\n'.repeat(size / 8)),
  yaml('numbers with colons', 100_000, (size) => `x: 1${':1'.repeat(size / 2)}x`),
  yaml('digits', 100_000, (size) => `x: ${'1_'.repeat(size / 2)}.e`),
  yaml('entries of the wrong kind', 60_000, (size) => `agents: [${'{}, '.repeat(size / 4)}]`),
  yaml('carriage returns', 100_000, (size) => 'a: 1\r\n\r\n'.repeat(size / 8)),
  yaml('flow lists over lines', 60_000, (size) => `agents: [\n${many(size / 10, (i) => `  c${i}, # a\n`)}]`),
];

function yaml(name: string, largest: number, text: (size: number) => string): NastyFamily {
  return folderFamily(`YAML: ${name}`, largest, (size, random): Files => {
    const made = text(size);
    switch (random.below(4)) {
      case 0:
        return { 'agent-cards/lead.yaml': made };
      case 1:
        return { 'callboard.yaml': `version: 1\n${made}`, 'lead.md': card('name: lead') };
      default:
        return { 'lead.md': card(made) };
    }
  });
}
