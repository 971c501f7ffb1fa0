import type { ProbeReport } from './probe-report';

/** What is known of the MCP servers of a project from their tests. The database keeps it for every person of the project. */

/** What a server offers and a card can filter. */
export const offerKinds = ['tools', 'resources', 'prompts'] as const;
export type OfferKind = (typeof offerKinds)[number];

/** What a server listed, as the last successful test found it. It holds no secret. */
export type Listing = Pick<ProbeReport, 'tools' | 'resources' | 'prompts' | 'probedAt'>;

/** A print for each name: a short hash of description and schema, marked for a tool that declares that it only reads. */
export type Fingerprints = Readonly<Record<string, string>>;

/** The prints of the tools that servers listed, by server. */
export type ListedTools = Readonly<Record<string, Fingerprints>>;

const readsMark = ' reads';

/** Marks the print of a tool. Where it is not known whether it only reads, the print is that of a tool that may write. */
export function printOf(hash: string, readOnly: boolean | undefined): string {
  return readOnly === true ? `${hash}${readsMark}` : hash;
}

/** True for the print of a tool that declared that it only reads. */
export function onlyReads(print: string): boolean {
  return print.endsWith(readsMark);
}

/** Returns the print without the mark: what it says of description and schema. */
export function hashIn(print: string): string {
  return onlyReads(print) ? print.slice(0, -readsMark.length) : print;
}

export interface KnownServer {
  /** What the last successful test found. */
  readonly listing: Listing;
  /** Hashes of what the listing holds. They are kept even where its schemas are too large to keep. */
  readonly prints: Readonly<Record<OfferKind, Fingerprints>>;
  /** What the server listed when a filter was last written or accepted, by agent and kind. */
  readonly picked: Readonly<Record<string, Readonly<Partial<Record<OfferKind, Fingerprints>>>>>;
}

export type KnownServers = Readonly<Record<string, KnownServer>>;

/** Something that an editor has found out or a person has decided, for the others of the project. */
export type ServerNews =
  | ({ readonly news: 'listed'; readonly server: string } & Pick<KnownServer, 'listing' | 'prints'>)
  /** With `first` it counts only if nothing is known of this filter yet. */
  | {
      readonly news: 'picked';
      readonly server: string;
      readonly agent: string;
      readonly kind: OfferKind;
      readonly prints: Fingerprints;
      readonly first: boolean;
    }
  | { readonly news: 'renamed'; readonly from: string; readonly to: string };
