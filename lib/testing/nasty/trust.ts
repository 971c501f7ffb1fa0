import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { listCapabilities } from '@/lib/cards/trust/list-capabilities';
import type { SeededRandom } from '@/lib/testing/seeded-random';
import { card, type Files, many, type NastyFamily, sizeOf } from './family';

/** Inputs that are folders whose runs would start and call very many things. */
export const nastyTrust: readonly NastyFamily[] = [
  family('servers', 200_000, (size) => ({
    'lead.md': card(`name: lead\nservers: [${many(size / 60, (i) => `s${i}, `)}]`),
    'fast-agent.yaml': `mcp:\n  servers:\n${many(size / 60, (i) => `    s${i}: { command: node, args: [a${i}.mjs] }\n`)}`,
  })),
  family('agents that use one server', 120_000, (size) => ({
    ...filesOf(size / 60, (i) => [`a${i}.md`, card(`name: a${i}\nservers: [s]`)]),
    'fast-agent.yaml': 'mcp: { servers: { s: { command: npx, args: [tool] } } }\n',
  })),
  family('commands and files', 150_000, (size) => ({
    'lead.md': card(`name: lead\nservers: [${many(size / 100, (i) => `s${i}, `)}]`),
    'fast-agent.yaml': `mcp:\n  servers:\n${many(size / 100, (i) => `    s${i}: { command: npx, args: [tool] }\n`)}`,
    ...filesOf(size / 100, (i) => [`folder/file-${i}.mjs`, `${i};`]),
  })),
  family('words of one command', 400_000, (size) => ({
    'lead.md': card('name: lead\nservers: [s]'),
    'fast-agent.yaml': `mcp: { servers: { s: { command: sh, args: [-c, "${many(size / 12, (i) => `./a${i}=//b;`)}"] } } }\n`,
  })),
  family('Python files', 200_000, (size) => ({
    'lead.md': card(`name: lead\nfunction_tools: [${many(size / 60, (i) => `"f${i}.py:go", `)}]`),
    ...filesOf(size / 60, (i) => [`f${i}.py`, 'def go(): ...\n']),
  })),
  family('addresses in one instruction', 400_000, (size) => ({
    'lead.md': card(
      'name: lead',
      many(size / 40, (i) => `{{url:https://example.com/${i}}}\n`),
    ),
  })),
  family('marks of addresses that are none', 400_000, (size) => ({
    'lead.md': card(
      'name: lead',
      many(size / 14, () => '{{url:https://'),
    ),
  })),
  family('variables', 200_000, (size) => ({
    'lead.md': card('name: lead\nservers: [s]'),
    'fast-agent.yaml': `mcp: { servers: { s: { command: npx, args: ["${many(size / 10, (i) => `\${V${i}}`)}"] } } }\n`,
  })),
];

function family(name: string, largest: number, files: (size: number) => Files): NastyFamily {
  return {
    name,
    largest,
    make(size: number, random: SeededRandom) {
      const made = files(size);
      // Each path gets new text, so that no cached reading is used.
      const salt = String(random.below(1_000_000_000));
      const folder = folderOf(
        Object.fromEntries(
          Object.entries(made).map(([path, text]) => [path, `${text}${path.endsWith('.mjs') ? '//' : '#'} ${salt}\n`]),
        ),
      );
      return { size: sizeOf(made), run: () => listCapabilities(folder, readFolder(folder)) };
    },
  };
}

function filesOf(count: number, file: (index: number) => readonly [path: string, text: string]): Files {
  return Object.fromEntries(Array.from({ length: Math.max(1, count) }, (_, index) => file(index)));
}
