import type { SecretNaming } from '@/lib/base/uses';

const mostNamed = 3;

/** Says what uses a secret, with the project for secrets of the installation. */
export function namedBy(namings: readonly SecretNaming[], withProject: boolean): string {
  if (namings.length === 0) return 'Not used now';
  const words = namings
    .slice(0, mostNamed)
    .map((naming) => wordsOf(naming) + (withProject ? ` (${naming.projectName})` : ''));
  const more = namings.length - words.length;
  return `Used by ${words.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function wordsOf({ kind, name }: SecretNaming): string {
  switch (kind) {
    case 'server':
      return `server ${name}`;
    case 'provider':
      return `models of ${name}`;
    case 'agent':
      return `remote agent ${name}`;
    case 'mirror':
      return `the mirror at ${name}`;
  }
}
