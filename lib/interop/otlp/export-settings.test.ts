import { describe, expect, it } from 'vitest';
import { readExportSettings, secretsOfExport } from './export-settings';

const defaults = { headers: {}, protocol: 'http/protobuf', gzip: false, timeoutMs: 10_000, serviceName: 'callboard' };

describe('the variables of an OTLP exporter', () => {
  it('nothing is sent unless an address is set, and nothing where OpenTelemetry is switched off', () => {
    const off = { settings: undefined, problems: [] };
    const address = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
    expect(readExportSettings({ OTEL_EXPORTER_OTLP_HEADERS: 'a=b' })).toEqual(off);
    expect(readExportSettings({ ...address, OTEL_SDK_DISABLED: 'true' })).toEqual(off);
    expect(readExportSettings({ ...address, OTEL_TRACES_EXPORTER: 'none' })).toEqual(off);
  });

  it('adds the path to the general address, and takes that for traces as it is', () => {
    const urlOf = (source: Record<string, string>) => readExportSettings(source).settings?.url;
    expect(urlOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' })).toBe('http://collector:4318/v1/traces');
    expect(urlOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.example/otlp/' })).toBe('https://c.example/otlp/v1/traces');
    expect(
      urlOf({
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c.example/in?x=1',
      }),
    ).toBe('https://c.example/in?x=1');
  });

  it('reads headers, protocol, compression and time; those for traces go first', () => {
    const { settings, problems } = readExportSettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20general',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'authorization=Bearer%20sk-trace-1, x-tenant = a%2Cb ,',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_EXPORTER_OTLP_TIMEOUT: '2500',
      OTEL_SERVICE_NAME: 'desk',
    });
    expect(problems).toEqual([]);
    expect(settings).toEqual({
      ...defaults,
      url: 'http://collector:4318/v1/traces',
      headers: { authorization: 'Bearer sk-trace-1', 'x-tenant': 'a,b' },
      protocol: 'http/json',
      gzip: true,
      timeoutMs: 2_500,
      serviceName: 'desk',
    });
    expect(settings && secretsOfExport(settings)).toEqual(['Bearer sk-trace-1', 'sk-trace-1', 'a,b']);
  });

  it('names what is wrong, with the variable and without its value', () => {
    const { settings, problems } = readExportSettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:hunter22@c.example',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_HEADERS: 'Bearer sk-secret-1',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'zstd',
      OTEL_EXPORTER_OTLP_TIMEOUT: 'soon',
    });
    expect(settings).toBeUndefined();
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'OTEL_EXPORTER_OTLP_HEADERS',
      'OTEL_EXPORTER_OTLP_COMPRESSION',
      'OTEL_EXPORTER_OTLP_TIMEOUT',
    ]);
    expect(problems.join()).not.toMatch(/hunter22|sk-secret/);
    expect(readExportSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }).problems).toHaveLength(1);
  });
});
