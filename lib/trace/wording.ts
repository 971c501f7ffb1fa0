/**
 * Writes a duration, which is given in microseconds, rounded to the last digit that shows. Pages and exports write every duration with
 * it. The replay page has the text of this function, so it uses nothing from outside itself.
 */
export function formatDuration(us: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  if (us < 0.5) return '0 ms';
  if (us < 999.5) return `${Math.round(us)} µs`;
  if (us < 9_950) return `${Math.round(us / 100) / 10} ms`;
  if (us < 999_500) return `${Math.round(us / 1000)} ms`;
  if (us < 59_995_000) return `${(Math.round(us / 10_000) / 100).toFixed(2)} s`;
  const seconds = Math.round(us / 1_000_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} m ${two(seconds % 60)} s`;
  const minutes = Math.round(us / 60_000_000);
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} m`;
}

/** Writes a count such as 950, 1,234, 12.3k or 4.5M. */
export function formatCount(count: number): string {
  if (count < 10_000) return count.toLocaleString('en-US');
  if (count < 999_950) return `${trim((count / 1000).toFixed(1))}k`;
  return `${trim((count / 1_000_000).toFixed(1))}M`;
}

/** Writes a size such as 512 B, 1.5 kB, 3 MB or 1.2 GB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_950) return `${trim((bytes / 1000).toFixed(1))} kB`;
  if (bytes < 999_950_000) return `${trim((bytes / 1_000_000).toFixed(1))} MB`;
  return `${trim((bytes / 1_000_000_000).toFixed(1))} GB`;
}

/** Writes a share such as 0.4 % or 12 %. */
export function formatShare(part: number, whole: number): string {
  if (whole <= 0) return '–';
  const percent = (part / whole) * 100;
  return percent > 0 && percent < 10 ? `${trim(percent.toFixed(1))} %` : `${Math.round(percent)} %`;
}

/**
 * Writes a label on the axis, with as many decimals as neighbours need to differ. `step` is the distance between two ticks.
 */
export function formatTick(us: number, step: number): string {
  if (us === 0) return '0';
  if (step < 1000) return `${trim((us / 1000).toFixed(3))} ms`;
  if (us < 1_000_000 && step < 1_000_000) return `${Math.round(us / 1000)} ms`;
  const decimals = step >= 1_000_000 ? 0 : step >= 100_000 ? 1 : step >= 10_000 ? 2 : 3;
  if (us < 60_000_000) return `${(us / 1_000_000).toFixed(decimals)} s`;
  // Words would be longer than there is room between ticks.
  if (step < 1_000_000 || (us >= 86_400_000_000 && step < 60_000_000)) return digitalTime(us, decimals);
  if (step >= 86_400_000_000) return `${Math.round(us / 86_400_000_000)} d`;
  const seconds = Math.round(us / 1_000_000);
  const minutes = step >= 60_000_000 ? Math.round(seconds / 60) : Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const isWholeHour = hours >= 24 && step >= 60_000_000 && minutes % 60 === 0;
  return [
    ...(hours >= 24 ? [`${Math.floor(hours / 24)} d`] : []),
    ...(hours >= 24 ? [`${two(hours % 24)} h`] : hours > 0 ? [`${hours} h`] : []),
    ...(isWholeHour ? [] : [hours > 0 ? `${two(minutes % 60)} m` : `${minutes} m`]),
    ...(step < 60_000_000 ? [`${two(seconds % 60)} s`] : []),
  ].join(' ');
}

/** Writes a time such as 1:02.5 or 72:00:02. */
function digitalTime(us: number, decimals: number): string {
  const per = 10 ** decimals;
  const parts = Math.round((us / 1_000_000) * per);
  const [minutes, rest] = [Math.floor(parts / per / 60), parts % (60 * per)];
  const seconds = (rest / per).toFixed(decimals).padStart(decimals === 0 ? 2 : decimals + 3, '0');
  return minutes < 60 ? `${minutes}:${seconds}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${seconds}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function trim(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal;
}
