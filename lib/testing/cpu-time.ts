/** Microseconds of processor time that this process has used: what others do on the machine is not in it. */
export function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Processor time of one call, in microseconds. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const start = cpuMicroseconds();
  await work();
  return cpuMicroseconds() - start;
}
