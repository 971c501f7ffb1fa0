import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';

/** Sends every span to TRACES_URL, with TRACES_TOKEN if there is one. */
export function telemetry(name) {
  const headers = process.env.TRACES_TOKEN ? { Authorization: `Bearer ${process.env.TRACES_TOKEN}` } : {};
  const exporter = new OTLPTraceExporter({ url: process.env.TRACES_URL, headers });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': name }),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  provider.register();
  return provider;
}
