import type { AgentCard } from './card';
import type { Folder } from './folder';
import { joinPath } from './references';
import { splitSource } from './source';
import { isMapping } from './yaml/pyyaml';
import { parseYaml } from './yaml/yaml-source';

/** A directory with a `SKILL.md`, as an agent is told of it. */
export interface Skill {
  /** From the front matter, else the directory's name. */
  readonly name: string;
  readonly description: string;
  /** Path of `SKILL.md` in the folder. */
  readonly file: string;
  /** With a trailing slash: what lies below it may be read. */
  readonly directory: string;
}

export interface SkillListing {
  readonly skills: readonly Skill[];
  /** Directories the card names that hold no skill. */
  readonly missing: readonly string[];
}

/** Where skills are looked for when a card says nothing: fast-agent's own list. */
const defaultDirectories = ['.fast-agent/skills', '.agents/skills', '.claude/skills'];

/**
 * The skills of a card: each directory it names is one, or holds some one level down. Paths are relative to the project's
 * folder, else to the card. Of two skills with one name the first counts.
 */
export function skillsOf(card: Pick<AgentCard, 'file' | 'skills'>, folder: Folder): SkillListing {
  const directories = card.skills ?? defaultDirectories;
  if (directories.length === 0) return { skills: [], missing: [] };
  const manifests = [...folder.keys()].filter((path) => path === 'SKILL.md' || path.endsWith('/SKILL.md')).sort();
  const skills = new Map<string, Skill>();
  const missing: string[] = [];
  for (const written of directories) {
    const found = manifestsIn(manifests, joinPath('', withoutSlash(written)));
    const files = found.length > 0 ? found : manifestsIn(manifests, joinPath(card.file, withoutSlash(written)));
    if (files.length === 0 && card.skills !== undefined) missing.push(written);
    for (const file of files) {
      const skill = readSkill(file, folder);
      if (skill && !skills.has(skill.name)) skills.set(skill.name, skill);
    }
  }
  return { skills: [...skills.values()], missing };
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '');
}

function manifestsIn(manifests: readonly string[], directory: string | undefined): string[] {
  if (directory === undefined) return [];
  const prefix = directory === '' ? '' : `${directory}/`;
  if (manifests.includes(`${prefix}SKILL.md`)) return [`${prefix}SKILL.md`];
  return manifests.filter((path) => path.startsWith(prefix) && path.slice(prefix.length).split('/').length === 2);
}

function readSkill(path: string, folder: Folder): Skill | undefined {
  const file = folder.get(path);
  if (file?.kind !== 'text') return undefined;
  const { yaml } = splitSource(path, file.text);
  const value = yaml ? parseYaml(yaml).value : undefined;
  const field = (key: string) => {
    const text = isMapping(value) ? value[key] : undefined;
    return typeof text === 'string' ? text.trim() : '';
  };
  const directory = path.slice(0, -'SKILL.md'.length);
  const ownName = directory.split('/').at(-2) ?? 'skill';
  return { name: field('name') || ownName, description: field('description'), file: path, directory };
}
