import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** Writes an ExportTraceServiceResponse. `rejected` spans make it a partial success. */
export function writeOtlpAnswer(answer: {
  readonly rejected: number;
  readonly problem: string | undefined;
}): Uint8Array {
  const writer = new BinaryWriter();
  if (answer.rejected === 0) return writer.finish();
  writer.tag(1, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.Varint).int64(answer.rejected);
  writer.tag(2, WireType.LengthDelimited).string(answer.problem ?? '');
  return writer.join().finish();
}

/** Writes a google.rpc.Status, the body of an error in protobuf. */
export function writeOtlpStatus(message: string): Uint8Array {
  return new BinaryWriter().tag(2, WireType.LengthDelimited).string(message).finish();
}
