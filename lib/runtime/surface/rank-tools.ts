import { oncePer } from '@/lib/base/once-per';
import type { ToolDescriptor } from '@/lib/runtime/ports';

/**
 * Ranks tools by the words of a query. The same tools and query always give the same list.
 *
 * Each word of the query counts where it fits best: in the tool's name most, then in its description and the names of its
 * parameters. A whole word counts more than its beginning, and a beginning more than a part. A word that few tools have counts more
 * than one that most have, so that a server's name in every tool says little. A query that is the name of a tool finds it first.
 * Tools with the same score keep their order; tools without any word of the query are left out.
 */
export function rankTools(tools: readonly ToolDescriptor[], query: string): readonly ToolDescriptor[] {
  const wanted = [...new Set(wordsOf(query.slice(0, maxQueryCharacters)))].slice(0, maxQueryWords);
  const entries = indexOf(tools);
  const scores = entries.map(() => 0);
  for (const word of wanted) {
    const fits = entries.map((entry) => fitOf(entry, word));
    const rarity = 1 + fits.filter((fit) => fit === 0).length;
    fits.forEach((fit, index) => {
      scores[index] = (scores[index] ?? 0) + fit * rarity;
    });
  }
  const named = query.trim().toLowerCase();
  const isNamed = ({ tool }: Entry) => tool.name.toLowerCase() === named || tool.remoteName?.toLowerCase() === named;
  return entries
    .map((entry, index) => ({
      tool: entry.tool,
      score: isNamed(entry) ? Number.MAX_SAFE_INTEGER : (scores[index] ?? 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

const maxQueryCharacters = 500;
const maxQueryWords = 12;
/** Only the beginning of a description is looked at, because servers write long ones. */
const maxDescriptionCharacters = 600;
const maxParameters = 50;

/** How much more a word counts in the name of a tool. */
const nameWeight = 3;

interface Entry {
  readonly tool: ToolDescriptor;
  readonly name: readonly string[];
  readonly rest: readonly string[];
}

const indexOf = oncePer((tools: readonly ToolDescriptor[]): readonly Entry[] =>
  tools.map((tool) => {
    const { properties } = tool.inputSchema;
    const parameters = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
    const texts = [tool.description.slice(0, maxDescriptionCharacters), ...parameters.slice(0, maxParameters)];
    return { tool, name: wordsOf(tool.name), rest: [...new Set(texts.flatMap(wordsOf))] };
  }),
);

function fitOf({ name, rest }: Entry, wanted: string): number {
  return Math.max(nameWeight * bestFit(name, wanted), bestFit(rest, wanted));
}

function bestFit(words: readonly string[], wanted: string): number {
  let best = 0;
  for (const word of words) {
    if (word === wanted) return 4;
    if (wanted.length < 3 && !isWide(wanted)) continue;
    best = Math.max(best, word.startsWith(wanted) ? 2 : word.includes(wanted) ? 1 : 0);
  }
  return best;
}

/** True for scripts that write several words without blanks between them, where a short part may be a word. */
function isWide(word: string): boolean {
  return /[\u2e80-\u{3ffff}]/u.test(word);
}

/** Splits at blanks, signs and capitals: `listOpen_issues` is `list`, `open`, `issue`. */
function wordsOf(text: string): string[] {
  const apart = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').toLowerCase();
  return (apart.match(/[\p{L}\p{N}]+/gu) ?? []).map(singular);
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
