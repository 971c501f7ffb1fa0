/**
 * A folder of files held in memory. Text files keep their exact characters (a BOM is a character); what is not valid
 * UTF-8 stays bytes, so that a folder that goes in comes out byte for byte.
 */
export type FolderFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array }
  | StoredFile;

/**
 * A file that is not text and whose bytes are on the server, named by their SHA-256 in hex: how a browser holds it. A
 * folder that is run, zipped or stored never has one.
 */
export interface StoredFile {
  readonly kind: 'stored';
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
}

/** A file whose content is at hand. */
export type LoadedFile = Exclude<FolderFile, StoredFile>;

/** Keys are relative paths with forward slashes, no `..`, no leading slash. */
export type Folder = ReadonlyMap<string, FolderFile>;
