import { oncePer } from '@/lib/base/once-per';
import { trimEndOf } from '@/lib/base/trim';
import type { AgentCard } from '@/lib/cards/card';
import { parentOf } from '@/lib/cards/file-role';
import type { Folder, FolderFile } from '@/lib/cards/folder';
import { joinPath } from '@/lib/cards/references';
import { splitSource } from '@/lib/cards/source';
import { isMapping } from '@/lib/cards/yaml/pyyaml';
import { parseYaml } from '@/lib/cards/yaml/yaml-source';
import { maxReadUnits } from './check-bytes';

/** A directory with a `SKILL.md`, as it is described to an agent. */
export interface Skill {
  /** The name in the front matter, otherwise the name of the directory. */
  readonly name: string;
  readonly description: string;
  /** The path of `SKILL.md` in the folder. */
  readonly file: string;
  /** The directory with a trailing slash. The agent may read the files below it. */
  readonly directory: string;
}

export interface SkillListing {
  readonly skills: readonly Skill[];
  /** Directories that the card names but that hold no skill. */
  readonly missing: readonly string[];
}

/** The default directories of skills, as in fast-agent. */
const defaultDirectories = ['.fast-agent/skills', '.agents/skills', '.claude/skills'];

/**
 * Returns the skills of a card. Each directory that it names is a skill, or has skills one level below. Paths are relative
 * to the project's folder, otherwise to the card. When two skills have the same name, the first is used.
 */
export function skillsOf(card: Pick<AgentCard, 'file' | 'skills'>, folder: Folder): SkillListing {
  const directories = card.skills ?? defaultDirectories;
  if (directories.length === 0) return { skills: [], missing: [] };
  const manifests = manifestsOf(folder);
  const skills = new Map<string, Skill>();
  const missing: string[] = [];
  for (const written of new Set(directories)) {
    const found = manifestsIn(manifests, joinPath('', trimEndOf(written, '/')));
    const files = found.length > 0 ? found : manifestsIn(manifests, joinPath(card.file, trimEndOf(written, '/')));
    if (files.length === 0 && card.skills !== undefined) missing.push(written);
    for (const path of files) {
      const skill = readSkill(path, folder);
      if (skill && !skills.has(skill.name)) skills.set(skill.name, skill);
    }
  }
  return { skills: [...skills.values()], missing };
}

/** Returns the directories that a card may name: each that holds a skill, and each with skills one level below. */
export function skillDirectories(folder: Folder): readonly string[] {
  const { all, below } = manifestsOf(folder);
  const own = [...all].map(parentOf);
  return [...new Set([...below.keys(), ...own])].filter((directory) => directory !== '').sort();
}

interface Manifests {
  readonly all: ReadonlySet<string>;
  /** The manifests one level below each directory, sorted. */
  readonly below: ReadonlyMap<string, readonly string[]>;
}

/** Finds every `SKILL.md`. The result is cached by folder, which is immutable. */
const manifestsOf = oncePer((folder: Folder): Manifests => {
  const all = [...folder.keys()].filter((path) => path === 'SKILL.md' || path.endsWith('/SKILL.md')).sort();
  const below = new Map<string, string[]>();
  for (const path of all) {
    const directory = parentOf(path);
    if (directory === '') continue;
    const group = below.get(parentOf(directory));
    if (group === undefined) below.set(parentOf(directory), [path]);
    else group.push(path);
  }
  return { all: new Set(all), below };
});

function manifestsIn({ all, below }: Manifests, directory: string | undefined): readonly string[] {
  if (directory === undefined) return [];
  const own = directory === '' ? 'SKILL.md' : `${directory}/SKILL.md`;
  return all.has(own) ? [own] : (below.get(directory) ?? []);
}

function readSkill(path: string, folder: Folder): Skill | undefined {
  const file = folder.get(path);
  return file?.kind === 'text' && file.text.length <= maxReadUnits ? skillIn(path, file) : undefined;
}

/** The results are cached by file and path, because many cards may name the same skill. */
const skillsByFile = oncePer((_: FolderFile) => new Map<string, Skill>());

function skillIn(path: string, file: FolderFile & { readonly kind: 'text' }): Skill {
  const known = skillsByFile(file);
  const skill = known.get(path) ?? parseSkill(path, file.text);
  known.set(path, skill);
  return skill;
}

function parseSkill(path: string, text: string): Skill {
  const { yaml } = splitSource(path, text);
  const value = yaml ? parseYaml(yaml).value : undefined;
  const field = (key: string) => {
    const written = isMapping(value) ? value[key] : undefined;
    return typeof written === 'string' ? written.trim() : '';
  };
  const directory = path.slice(0, -'SKILL.md'.length);
  const ownName = directory.split('/').at(-2) ?? 'skill';
  return { name: field('name') || ownName, description: field('description'), file: path, directory };
}
