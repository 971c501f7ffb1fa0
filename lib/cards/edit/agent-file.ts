import { trimOf } from '@/lib/base/trim';

/** Returns the name of a card's file without its ending, from the name of its agent. It is `''` if nothing of the name fits. */
export function fileStem(name: string): string {
  return trimOf(name.replace(/[^\p{L}\p{N}._-]+/gu, '-'), '.-').slice(0, 80);
}

/** The ways in which people write the name of an agent as the name of a file. */
const styles: readonly ((stem: string) => string)[] = [
  (stem) => stem,
  (stem) => stem.toLowerCase(),
  (stem) => stem.replaceAll('_', '-'),
  (stem) => stem.replaceAll('_', '-').toLowerCase(),
];

/**
 * Returns the path of a card after its agent was renamed. The file follows if it has the name of the agent, also in small letters or
 * with hyphens. Returns `undefined` for a file with any other name, which a person has chosen.
 */
export function renamedAgentFile(file: string, from: string, to: string): string | undefined {
  const directory = file.slice(0, file.lastIndexOf('/') + 1);
  const dot = file.lastIndexOf('.');
  const stem = file.slice(directory.length, dot);
  const style = styles.find((write) => stem !== '' && write(fileStem(from)) === stem);
  const next = style?.(fileStem(to));
  return next === undefined || next === '' || next === stem ? undefined : directory + next + file.slice(dot);
}
