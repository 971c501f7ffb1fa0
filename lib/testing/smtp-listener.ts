import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, as they came. */
  readonly source: string;
}

export interface SmtpListener {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** `user password` of each sign-in. */
  readonly signIns: readonly string[];
  /** Refuses the next mails with this line, such as `451 Try later`. `undefined` takes them. */
  refusal: string | undefined;
  close(): Promise<void>;
}

/** Starts a mail server on this machine that keeps what it gets (RFC 5321, as far as a client with AUTH PLAIN needs it). */
export async function startSmtpListener(): Promise<SmtpListener> {
  const mails: ReceivedMail[] = [];
  const signIns: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    serve(socket, {
      signIn: (who) => signIns.push(who),
      take(mail) {
        if (listener.refusal === undefined) mails.push(mail);
        return listener.refusal ?? '250 taken';
      },
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The mail server does not listen');
  const listener: SmtpListener = {
    port: address.port,
    mails,
    signIns,
    refusal: undefined,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return listener;
}

interface Post {
  signIn(who: string): void;
  /** Returns the line that answers the mail. */
  take(mail: ReceivedMail): string;
}

/** Speaks with one client: commands of one line, and after `DATA` a mail that ends with a line of one dot. */
function serve(socket: Socket, post: Post): void {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let buffered = '';
  let from = '';
  let to: string[] = [];
  let isData = false;
  say('220 test');
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    buffered += text;
    for (;;) {
      const end = buffered.indexOf(isData ? '\r\n.\r\n' : '\r\n');
      if (end === -1) return;
      const piece = buffered.slice(0, end);
      buffered = buffered.slice(end + (isData ? 5 : 2));
      if (isData) takeMail(piece);
      else obey(piece);
    }
  });

  function takeMail(source: string): void {
    isData = false;
    say(post.take({ from, to, source: source.replace(/^\.\./gm, '.') }));
    to = [];
  }

  function obey(line: string): void {
    const path = /<(.*?)>/.exec(line)?.[1] ?? '';
    switch (line.slice(0, 4).toUpperCase()) {
      case 'EHLO':
        return void say('250-test\r\n250 AUTH PLAIN');
      case 'AUTH':
        post.signIn(nameAndPassword(line.split(' ')[2] ?? ''));
        return void say('235 welcome');
      case 'MAIL':
        from = path;
        return void say('250 ok');
      case 'RCPT':
        to.push(path);
        return void say('250 ok');
      case 'DATA':
        isData = true;
        return void say('354 go on');
      case 'QUIT':
        say('221 bye');
        return void socket.end();
      default:
        say('502 unknown');
    }
  }
}

/** Reads `user password` from what AUTH PLAIN sends (RFC 4616): both behind a NUL, in base64. */
function nameAndPassword(sent: string): string {
  return Buffer.from(sent, 'base64').toString().split('\0').slice(1).join(' ');
}
