import type { EpochMs } from '@/lib/base/ids';
import type { AgentCard } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import { skillsOf } from '@/lib/cards/read/skills';
import { withoutSecretFiles } from '@/lib/cards/secret-files';
import { urlsOf } from '@/lib/cards/url-placeholder';
import { defaultInstruction, resolveInstruction, wantsServers } from './instruction';
import { expandIncludes } from './url-includes';

export interface InstructionPreview {
  /** The instruction as a request would have it, with what is known. */
  readonly text: string;
  /** True if the card has no instruction, so that the default one is used. */
  readonly isDefault: boolean;
  /** Sentences about what is missing, and about what is added only when a run starts. */
  readonly notes: readonly string[];
}

/**
 * Returns the instruction of an agent by the function of a run, `resolveInstruction`. `fetched` are texts of addresses, as
 * a run has recorded them. What servers say about themselves is not known before a run.
 */
export function previewInstruction(
  card: AgentCard,
  folder: Folder,
  at: { readonly now: EpochMs; readonly fetched?: ReadonlyMap<string, string> | undefined },
): InstructionPreview {
  const expanded = expandIncludes(at.fetched ?? new Map());
  const included = expanded.ok ? expanded.value : new Map<string, string>();
  const { skills } = skillsOf(card, folder);
  const { text, missing } = resolveInstruction(card, {
    now: at.now,
    folder: withoutSecretFiles(folder),
    skills,
    included,
  });
  const servers = [...card.servers, ...card.mcpConnect.map(({ name }) => name)];
  const urls = urlsOf(card.instruction ?? defaultInstruction).filter((url) => !included.has(url));
  return {
    text,
    isDefault: card.instruction === undefined,
    notes: [
      ...missing.map((file) => `{{file:${file}}} is not in the project, or holds secrets, and stays empty.`),
      ...urls.map((url) => `The text at ${url} is read when a run starts.`),
      ...(servers.length > 0 && wantsServers(card, included)
        ? [`What ${servers.join(', ')} say about themselves takes the place of {{serverInstructions}}.`]
        : []),
    ],
  };
}
