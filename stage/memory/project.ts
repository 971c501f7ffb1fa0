import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { changesSince } from '@/lib/cards/trust/capability';
import { listCapabilities } from '@/lib/cards/trust/list-capabilities';
import type { ProjectTrust } from '@/lib/client/project-trust';
import type { WireFile } from '@/lib/client/wire-files';
import type { Points } from '@/lib/editor/place-nodes';
import { layoutGraph } from '@/lib/graph/layout';
import { projectGraph } from '@/lib/graph/project';
import { actionsOf } from './actions-of';
import { type Answers, Refusal } from './backend';

/** A project in memory, saved as the server saves it: by version, with a conflict for who saves from an older one. */
export interface MemoryProject {
  readonly id: string;
  readonly answers: Answers;
  readonly files: () => Readonly<Record<string, string>>;
  readonly version: () => number;
  /** Saves as another person would. */
  readonly saveElsewhere: (changes: Readonly<Record<string, string | null>>) => void;
}

const noTrust: ProjectTrust = {
  state: 'own',
  hash: '',
  items: [],
  models: [],
  commands: [],
  mayApprove: true,
};

type SaveInput = Parameters<typeof import('@/app/p/[project]/actions')['save']>[0];

export function memoryProject(id: string, name: string, given: Readonly<Record<string, string>>): MemoryProject {
  const files = new Map(Object.entries(given));
  let version = 1;
  const write = (path: string, text: string | null) => {
    if (text === null) files.delete(path);
    else files.set(path, text);
  };
  let isBrought = false;
  const save = ({ baseVersion, changes, brought }: SaveInput) => {
    if (baseVersion !== version) throw new Refusal('conflict', 'Somebody else saved this project meanwhile.');
    isBrought ||= brought === true;
    for (const change of changes) if ('text' in change) write(change.path, change.text);
    version += 1;
    return version;
  };
  /** After something came from elsewhere, a person confirms what the project starts that it did not start before. */
  const trust = (): ProjectTrust => {
    if (!isBrought) return noTrust;
    const [first, now] = [capabilitiesOf(given), capabilitiesOf(sorted())];
    if (now.hash === first.hash) return noTrust;
    const changeOf = changesSince(first.items);
    const items = now.items.map((item) => ({ ...item, change: changeOf(item) }));
    return { ...noTrust, state: 'unconfirmed', hash: now.hash, items };
  };
  const sorted = () => Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  const at = `GET /api/v1/projects/${id}`;
  return {
    id,
    files: sorted,
    version: () => version,
    saveElsewhere(changes) {
      for (const [path, text] of Object.entries(changes)) write(path, text);
      version += 1;
    },
    answers: {
      ...actionsOf<typeof import('@/app/p/[project]/actions')>('p/[project]/actions', { save }),
      [at]: () => ({ id, name, version }),
      [`${at}/files`]: () => ({ version, files: sorted(), savedBy: { names: ['Bo'], you: false } }),
      [`${at}/trust`]: trust,
      [`${at}/servers`]: () => ({ servers: {} }),
      [`${at}/budget`]: () => ({ notice: null }),
      [`${at}/uses`]: () => ({ uses: [], grants: 0, earlierRuns: 0, unread: 0 }),
      [`${at}/hook-changes`]: () => ({ changes: [], runs: 0, next: null }),
      'GET /api/v1/runs': () => ({ groups: [], next: null }),
      [`PUT /api/v1/projects/${id}/presence`]: () => ({}),
      [`DELETE /api/v1/projects/${id}/presence`]: () => ({}),
    },
  };
}

function capabilitiesOf(files: Readonly<Record<string, string>>) {
  const folder = folderOf(files);
  return listCapabilities(folder, readFolder(folder));
}

/** Returns the files as a page passes them to the browser. */
export function wireFiles(files: Readonly<Record<string, string>>): WireFile[] {
  return Object.entries(files).map(([path, text]) => ({ path, text }));
}

/** Places the nodes as the server does before it sends the page. */
export async function placed(files: Readonly<Record<string, string>>): Promise<Points> {
  const parsed = readFolder(folderOf(files));
  return await layoutGraph(projectGraph(parsed), parsed.settings.canvas.positions);
}
