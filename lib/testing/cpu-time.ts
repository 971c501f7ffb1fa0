/** Returns the processor time of this process in microseconds. Other processes do not affect it. */
export function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Returns the processor time of one call, in microseconds. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const start = cpuMicroseconds();
  await work();
  return cpuMicroseconds() - start;
}
