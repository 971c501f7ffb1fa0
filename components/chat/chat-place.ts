/** What the chat shows, as its address says it. */
export interface ChatPlace {
  /** `undefined` for a new conversation. */
  readonly conversation: string | undefined;
}

/** Reads an address. */
export function chatPlace(params: URLSearchParams): ChatPlace {
  return { conversation: params.get('conversation') ?? undefined };
}
