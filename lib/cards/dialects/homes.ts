import { homeName } from '@/lib/cards/file-role';

/** The home of each dialect, in a file of its own: a page that takes dropped folders does not load the dialects. A test compares them. */
export const dialectHomes: readonly string[] = ['.claude', '.github'];

/** True for a path inside a project that is in a program's own folder, such as `.claude/agents`. People also have one in their home folder. */
export function isInProgramHome(path: string): boolean {
  const [top = ''] = path.split('/');
  return top === homeName || dialectHomes.includes(top);
}
