import type { FullReview } from '@/components/review/review-types';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import type { FileChange } from '@/lib/client/compare-runs';
import { compareProjects } from '@/lib/graph/changes/compare-projects';
import type { ReadProject } from '@/lib/graph/changes/project-side';
import { layoutGraph } from '@/lib/graph/layout';
import { projectGraph } from '@/lib/graph/project';
import { changeGroups } from '@/lib/graph/review/change-rows';
import { partIndex, partOfChange } from '@/lib/graph/review/compared-part';
import { otherAnchors } from '@/lib/graph/review/graph-parts';
import { mergedGraph, savedPlaces } from '@/lib/graph/review/merged-graph';

export type Files = Readonly<Record<string, string>>;

const card = (name: string, fields = '', text = 'Do your part.') => `---\nname: ${name}\n${fields}---\n${text}\n`;

/** What is live: a lead with two children and a server. */
export const before: Files = {
  'README.md': '# Desk\n\nWrites letters.\n',
  'agent-cards/lead.md': card('lead', 'default: true\nagents: [writer, critic]\nservers: [time]\n', 'Ask the writer.'),
  'agent-cards/writer.md': card('writer', 'model: haiku\n', 'You write letters.\nKeep them short.\nName the sum.'),
  'agent-cards/critic.md': card('critic', 'human_input: true\n', 'You find mistakes.'),
  'fast-agent.yaml': 'mcp:\n  servers:\n    time: { command: node, args: [time.mjs] }\n',
};

/** The change: the writer counts with code, and a sender with a server for mail comes in place of the critic. */
export const after: Files = {
  'README.md': '# Desk\n\nWrites letters.\n',
  'agent-cards/lead.md': card(
    'lead',
    'default: true\nagents: [writer, sender]\nservers: [time]\nmax_parallel: 4\n',
    'Ask the writer.\nThen have the sender send it.',
  ),
  'agent-cards/writer.md': card(
    'writer',
    'model: sonnet\nfunction_tools: [../tools.ts:count]\n',
    'You write letters.\nKeep them shorter than a page.\nName the sum.',
  ),
  'agent-cards/sender.md': card('sender', 'servers: [mail]\n', 'You send letters.'),
  'tools.ts': 'export const count = (args: { text: string }) => args.text.length;\n',
  'fast-agent.yaml':
    'mcp:\n  servers:\n    time: { command: node, args: [time.mjs] }\n    mail: { url: "https://mail.example.org/mcp" }\n',
};

type Comparison = Pick<FullReview, 'capabilities' | 'groups' | 'drawing' | 'files'>;

/** Compares two folders as the server does for the page of a review. */
export async function comparison(old: Files, now: Files): Promise<Comparison> {
  const [earlier, later] = [read(old), read(now)];
  const compared = compareProjects(earlier, later);
  const merged = mergedGraph(compared.before, later, compared.semantic);
  const index = partIndex(later, projectGraph(later.parsed), merged.graph);
  return {
    capabilities: compared.capabilities.map((change) => ({ ...change, about: partOfChange(change, index) })),
    groups: changeGroups(compared.semantic, index),
    drawing: {
      ...merged,
      points: await layoutGraph(merged.graph, savedPlaces(compared.before, later)),
      otherAnchors: otherAnchors(merged, index),
    },
    files: fileChanges(old, now),
  };
}

function read(files: Files): ReadProject {
  const folder = folderOf(files);
  return { folder, parsed: readFolder(folder) };
}

/** Lists the files that differ, by path. */
export function fileChanges(old: Files, now: Files): readonly FileChange[] {
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((path) => old[path] !== now[path])
    .sort()
    .map((path) => {
      const change = old[path] === undefined ? 'added' : now[path] === undefined ? 'removed' : 'changed';
      return { path, change, before: old[path], after: now[path] };
    });
}
