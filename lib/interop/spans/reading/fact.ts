/** What an attribute may say about a step. */
export type Fact =
  | 'agentName'
  | 'model'
  | 'provider'
  | 'toolName'
  | 'callId'
  | 'serverName'
  | 'arguments'
  | 'result'
  | 'input'
  | 'output'
  | 'instructions'
  | 'request'
  | 'answer'
  | 'finish'
  | 'params'
  | 'inputTokens'
  | 'outputTokens'
  | 'cachedTokens'
  | 'writtenTokens'
  | 'reasoningTokens'
  | 'costUsd'
  | 'firstTokenMs'
  | 'firstTokenSeconds'
  | 'errorCode'
  | 'errorMessage';

/** The names of the attributes that say each fact, the best first. */
export type FactNames = Partial<Readonly<Record<Fact, readonly string[]>>>;
