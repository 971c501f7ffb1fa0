/**
 * A file in memory. Text keeps its exact characters (a BOM is a character), and a file that is not valid UTF-8 stays bytes.
 * So importing and exporting a folder does not change a byte.
 */
export type FolderFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array }
  | StoredFile;

/**
 * A binary file in a browser, whose bytes stay on the server. It is identified by their SHA-256 in hex. A folder that is
 * run, zipped or stored has no such file.
 */
export interface StoredFile {
  readonly kind: 'stored';
  readonly hash: string;
  /** The size in bytes. */
  readonly size: number;
}

/** A file whose content is in memory. */
export type LoadedFile = Exclude<FolderFile, StoredFile>;

/** Files by relative path, with forward slashes, no `..` and no leading slash. */
export type Folder = ReadonlyMap<string, FolderFile>;
