import { qrCode } from '@/lib/base/qr-code';

const border = 4;

/** A QR code, dark on white in every theme, because readers expect that. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const rows = qrCode(text);
  const size = rows.length + 2 * border;
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + border} ${y + border}h1v1h-1z` : '')));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      className="size-48 shrink-0 rounded-md border"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join('')} fill="#000" />
    </svg>
  );
}
