/**
 * A file in memory. Text keeps its exact characters (a BOM is a character); a file that is not valid UTF-8 stays bytes. So
 * importing and exporting a folder does not change a byte.
 */
export type FolderFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array }
  | StoredFile;

/**
 * In a browser: a binary file whose bytes stay on the server, identified by their SHA-256 in hex. A folder that is run, zipped
 * or stored has none.
 */
export interface StoredFile {
  readonly kind: 'stored';
  readonly hash: string;
  /** In bytes. */
  readonly size: number;
}

/** A file whose content is in memory. */
export type LoadedFile = Exclude<FolderFile, StoredFile>;

/** Keys are relative paths with forward slashes, no `..`, no leading slash. */
export type Folder = ReadonlyMap<string, FolderFile>;
