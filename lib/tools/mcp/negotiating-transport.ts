import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type ClientCapabilities,
  ErrorCode,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { isRecord, type JsonObject } from '@/lib/base/json';
import type { RequestWatch } from './answer-watch';
import { withoutMarks } from './exact-messages';
import { lostData } from './lost-answer';
import { modernVersion, withEnvelope } from './modern-messages';
import { messageOf } from './start-failure';

/** Which protocol is tried first. `modern` and `legacy` alone try no other. */
export type Negotiation = 'legacy' | 'legacy first' | 'modern first' | 'modern';

export interface NegotiatingOptions {
  readonly negotiation: Negotiation;
  readonly capabilities: ClientCapabilities;
  readonly logLevel: string;
  /** After this time without an answer to the newer protocol the older one is tried. */
  readonly probeMs: number;
  /** Notices requests whose answer is lost. Their sender gets an error with `lostData`. */
  readonly watch: RequestWatch;
  /** Called if the server speaks no protocol that may be tried, with the end of a sentence that begins with its name. */
  onRefused(fault: string): void;
}

/** The newest protocol that the SDK speaks. It is told that the server speaks this one. */
const spoken = '2025-11-25';
const probeId = 'callboard-discover';
const listenId = 'callboard-listen';
/** `UnsupportedProtocolVersion`, with which a server of the newer protocol alone answers `initialize`. */
const refusedCode = '-32022';

/**
 * Speaks protocol 2026-07-28 below a client of the SDK, which speaks the earlier ones. Both are tried on one connection, so that no
 * second process starts.
 *
 *   client                    here                                    server
 *   initialize ──────────▶ legacy first: ── initialize ───────────▶   answers: the earlier protocol, and nothing is changed
 *                                           └ refused: server/discover
 *                          modern first: ── server/discover ──────▶   answers: the newer protocol
 *                                           └ error, silence: initialize
 *   tools/call … ────────▶ with `_meta` ──────────────────────────▶   result, which may be `input_required`
 *   ping ────────────────▶ server/discover ───────────────────────▶
 */
export class NegotiatingTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** True once the newer protocol is spoken. */
  isModern = false;
  /** True if the connection ended while the newer protocol was tried: there are servers that exit at a request they do not know. */
  hasEndedAtProbe = false;

  private hello: JSONRPCRequest | undefined;
  /** The error with which the server refused the earlier protocol. */
  private refusal: JSONRPCMessage | Error | undefined;
  private isProbing = false;
  private timer: NodeJS.Timeout | undefined;
  private hasLists = false;

  constructor(
    private readonly inner: Transport,
    private readonly options: NegotiatingOptions,
  ) {
    inner.onclose = () => {
      this.hasEndedAtProbe = this.isProbing;
      clearTimeout(this.timer);
      this.onclose?.();
    };
    inner.onerror = (error) => this.onerror?.(error);
    options.watch.onLost = (id, why) => this.lose(id, why);
    inner.onmessage = (given, extra) => {
      const message = withoutMarks(given);
      this.noteAnswer(message);
      if (!this.takes(message)) this.onmessage?.(this.repaired(message), extra);
    };
  }

  get sessionId(): string | undefined {
    return this.inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.inner.setProtocolVersion?.(this.isModern ? modernVersion : version);
  }

  async start(): Promise<void> {
    await this.inner.start();
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.inner.close();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message && message.method === 'initialize' && 'id' in message) {
      this.hello = message;
      const { negotiation } = this.options;
      if (negotiation === 'modern' || negotiation === 'modern first') return await this.probe();
      try {
        return await this.inner.send(message, this.watched(message, options));
      } catch (error) {
        // Over HTTP the refusal is the text of an answer with status 400.
        if (negotiation === 'legacy' || !(error instanceof Error) || !error.message.includes(refusedCode)) throw error;
        this.refusal = error;
        return await this.probe();
      }
    }
    const watched = this.watched(message, options);
    try {
      await (this.isModern ? this.sendModern(message, watched) : this.inner.send(message, watched));
    } catch (error) {
      if ('method' in message && 'id' in message) this.options.watch.done(message.id);
      throw error;
    }
  }

  private noteAnswer(message: JSONRPCMessage): void {
    if ('method' in message || message.id === probeId || message.id === listenId) return;
    if (!isAboutNotification(message)) this.options.watch.answered(message.id);
  }

  /** Has the answer of a request watched, with the ids of the events from which its stream can be resumed. */
  private watched(message: JSONRPCMessage, options?: TransportSendOptions): TransportSendOptions | undefined {
    const { watch } = this.options;
    if (!('method' in message)) return options;
    if (!('id' in message)) {
      const cancelled = message.method === 'notifications/cancelled' ? message.params?.requestId : undefined;
      if (typeof cancelled === 'number' || typeof cancelled === 'string') watch.done(cancelled);
      return options;
    }
    const { id } = message;
    watch.asked(id);
    return { ...options, onresumptiontoken: (event) => watch.tookEvent(id, event) };
  }

  private lose(id: string | number, why: string): void {
    if (id === probeId) this.fallBack(undefined);
    else this.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32000, message: why, data: lostData } });
  }

  private async sendModern(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message)) return await this.inner.send(message, options);
    if (!('id' in message)) {
      if (message.method === 'notifications/initialized') this.listen();
      // Over HTTP there is no connection by which the server could know the request that is meant.
      else if (this.inner.sessionId === undefined && this.inner.setProtocolVersion) return;
      else await this.inner.send(message, options);
      return;
    }
    if (message.method === 'logging/setLevel') return this.answer(message.id, {});
    const method = message.method === 'ping' ? 'server/discover' : message.method;
    await this.inner.send({ ...message, method, params: this.envelope(message.params) }, options);
  }

  private envelope(params: unknown): JsonObject {
    return withEnvelope(params, this.options.capabilities, this.options.logLevel);
  }

  /** Servers in Go and others write `null` for what they leave out of the handshake, and the SDK would refuse it. */
  private repaired(message: JSONRPCMessage): JSONRPCMessage {
    if (this.hello === undefined || !('result' in message) || message.id !== this.hello.id) return message;
    return { ...message, result: withoutNulls(message.result) };
  }

  /** Returns true for a message that is not for the client. */
  private takes(message: JSONRPCMessage): boolean {
    if ('method' in message || !('id' in message)) return false;
    if (message.id === listenId) return true;
    if (message.id === probeId) {
      if (!this.isProbing) return true;
      const result = 'result' in message ? message.result : undefined;
      const versions = isRecord(result) && Array.isArray(result.supportedVersions) ? result.supportedVersions : [];
      if (versions.includes(modernVersion)) this.agree(result);
      else this.fallBack(message);
      return true;
    }
    const isHello = this.hello !== undefined && message.id === this.hello.id;
    const isRefusal = isHello && 'error' in message && String(message.error.code) === refusedCode;
    if (!isRefusal || this.options.negotiation !== 'legacy first' || this.refusal !== undefined) return false;
    this.refusal = message;
    void this.probe();
    return true;
  }

  private async probe(): Promise<void> {
    this.isProbing = true;
    const isPatient = this.options.negotiation === 'modern';
    if (!isPatient) this.timer = setTimeout(() => this.fallBack(undefined), this.options.probeMs);
    try {
      await this.inner.send({ jsonrpc: '2.0', id: probeId, method: 'server/discover', params: this.envelope({}) });
    } catch (error) {
      const { hello } = this;
      if (isPatient || this.refusal !== undefined || hello === undefined) throw this.refusal ?? error;
      this.stopProbing();
      await this.inner.send(hello);
    }
  }

  private stopProbing(): void {
    this.isProbing = false;
    clearTimeout(this.timer);
  }

  private agree(result: unknown): void {
    const { hello } = this;
    this.stopProbing();
    this.isModern = true;
    const { capabilities = {}, instructions, _meta: meta } = isRecord(result) ? result : {};
    const info = isRecord(meta) ? meta['io.modelcontextprotocol/serverInfo'] : undefined;
    const lists = isRecord(capabilities) ? [capabilities.tools, capabilities.prompts] : [];
    this.hasLists = lists.some((one) => isRecord(one) && one.listChanged === true);
    if (hello === undefined) return;
    this.answer(hello.id, {
      protocolVersion: spoken,
      capabilities,
      serverInfo: isRecord(info) ? info : { name: 'server', version: '' },
      ...(typeof instructions === 'string' && { instructions }),
    });
  }

  /** Goes on without the newer protocol: with the earlier one, or with the server's refusal of that. */
  private fallBack(refused: JSONRPCMessage | undefined): void {
    const { hello, refusal } = this;
    if (!this.isProbing || hello === undefined) return;
    this.stopProbing();
    if (refusal instanceof Error) this.fail(hello, refusal.message);
    else if (refusal !== undefined) this.onmessage?.(refusal);
    else if (this.options.negotiation === 'modern') {
      const text = refused && 'error' in refused ? refused.error.message : 'it names other versions';
      this.options.onRefused(`does not speak protocol ${modernVersion}: ${text}`);
      this.fail(hello, text);
    } else {
      this.inner.send(hello).catch((error: unknown) => this.fail(hello, messageOf(error)));
    }
  }

  private fail({ id }: JSONRPCRequest, message: string): void {
    this.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32000, message } });
  }

  private answer(id: string | number, result: object): void {
    this.options.watch.answered(id);
    queueMicrotask(() => this.onmessage?.({ jsonrpc: '2.0', id, result: { ...result } }));
  }

  /** Asks to be told of changed lists, for as long as the connection lasts. */
  private listen(): void {
    if (!this.hasLists) return;
    const notifications = { toolsListChanged: true, promptsListChanged: true };
    const params = this.envelope({ notifications });
    this.inner
      .send({ jsonrpc: '2.0', id: listenId, method: 'subscriptions/listen', params })
      .catch((error: unknown) => this.onerror?.(error instanceof Error ? error : new Error(String(error))));
  }
}

/** Some servers answer a notification that they do not know, which has no id, with an error without one. */
function isAboutNotification(message: JSONRPCMessage): boolean {
  return 'error' in message && message.id === undefined && message.error.code === ErrorCode.MethodNotFound;
}

function withoutNulls(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) =>
      entry === null ? [] : [[key, isRecord(entry) ? withoutNulls(entry) : entry] as const],
    ),
  );
}
