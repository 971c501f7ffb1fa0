/** The part of nodemailer that mail.ts uses. It keeps the types of its other transports out of the program. */
declare module 'nodemailer' {
  interface Options {
    readonly host: string;
    readonly port: number;
    /** TLS from the first byte. */
    readonly secure: boolean;
    /** Refuses to go on where STARTTLS is not offered. */
    readonly requireTLS: boolean;
    readonly auth?: { readonly user: string; readonly pass: string };
    /** Milliseconds. */
    readonly connectionTimeout: number;
    readonly greetingTimeout: number;
    readonly socketTimeout: number;
    readonly disableFileAccess: boolean;
    readonly disableUrlAccess: boolean;
  }

  interface Address {
    readonly name: string;
    readonly address: string;
  }

  interface Message {
    readonly from: Address;
    readonly to: Address;
    readonly subject: string;
    readonly text: string;
    readonly html: string;
    readonly messageId: string;
    readonly headers: Readonly<Record<string, string>>;
  }

  interface Transport {
    /** Rejects if the server refuses. */
    sendMail(message: Message): Promise<unknown>;
    close(): void;
  }

  export function createTransport(options: Options): Transport;
}
