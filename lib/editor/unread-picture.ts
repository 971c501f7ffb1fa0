import type { Issue } from '@/lib/base/issue';
import { roleByName } from '@/lib/cards/file-role';
import type { Folder } from '@/lib/cards/folder';
import type { FileRole, ParsedFolder } from '@/lib/cards/parsed-folder';
import { drawPicture, type Picture } from './picture';

/**
 * Returns the picture of a folder that is not read: the names of its files are listed, and nothing is drawn. `issue` says
 * why; it is `undefined` while that is not known yet.
 */
export function unreadPicture(folder: Folder, issue: Issue | undefined): Picture {
  const nothing = drawPicture(new Map(), undefined);
  return {
    ...nothing,
    parsed: { ...nothing.parsed, roles: rolesOf(folder), issues: issue === undefined ? [] : [issue] },
  };
}

/** Keeps the last drawing. Its one problem is that the present text cannot be read. */
export function outdatedPicture(last: Picture, folder: Folder, issue: Issue): Picture {
  const parsed: ParsedFolder = { ...last.parsed, roles: rolesOf(folder, last.parsed.roles), issues: [issue] };
  return { ...last, parsed, problems: new Map() };
}

function rolesOf(folder: Folder, known?: ReadonlyMap<string, FileRole>): ReadonlyMap<string, FileRole> {
  return new Map(
    [...folder]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, file]) => {
        const role = file.kind !== 'text' ? 'binary' : (known?.get(path) ?? roleByName(path) ?? 'document');
        return [path, role] as const;
      }),
  );
}
