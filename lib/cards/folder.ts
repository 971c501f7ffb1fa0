/**
 * A folder of files held in memory. Text files keep their exact characters (a BOM is a character); what is not valid
 * UTF-8 stays bytes, so that a folder that goes in comes out byte for byte.
 */
export type FolderFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array };

/** Keys are relative paths with forward slashes, no `..`, no leading slash. */
export type Folder = ReadonlyMap<string, FolderFile>;
