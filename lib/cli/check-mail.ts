import { connect, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { MailSettings } from '@/lib/jobs/notify/notify-settings';
import type { Finding } from './finding';

const patienceMs = 5_000;

/** Connects to the mail server and waits for its greeting. Sends nothing. */
export async function checkMail({
  host,
  port,
  secure,
}: Pick<MailSettings, 'host' | 'port' | 'secure'>): Promise<Finding> {
  const name = 'Mail server';
  const problem = await greetingOf(host, port, secure);
  if (problem === undefined) return { name, state: 'ok', detail: `${host}:${port} answers` };
  const next = 'Check CALLBOARD_SMTP_URL, and that this machine may connect there.';
  return { name, state: 'fail', detail: `${host}:${port}: ${problem}`, next };
}

/** Resolves to the reason why there is no greeting. */
function greetingOf(host: string, port: number, secure: boolean): Promise<string | undefined> {
  return new Promise((resolve) => {
    const name = isIP(host) === 0 ? { servername: host } : {};
    const socket = secure ? connectTls({ host, port, ...name }) : connect({ host, port });
    const settle = (problem: string | undefined) => {
      socket.destroy();
      resolve(problem);
    };
    socket.setTimeout(patienceMs, () => settle('no greeting within five seconds'));
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.message || error.code || 'no connection'));
    socket.once('close', () => settle('closed without a greeting'));
    socket.once('data', (bytes) =>
      settle(/^220[ -]/.test(bytes.toString('latin1')) ? undefined : 'greets as no mail server'),
    );
  });
}
