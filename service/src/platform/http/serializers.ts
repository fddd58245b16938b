import SerializerSelector from '@fastify/fast-json-stringify-compiler';

const built = new Map<string, SerializerSelector.Serializer>();

/**
 * Fastify's own serializers, one for each distinct schema.
 *
 * Most routes share their error answers. Compiling those anew for every route and status took most of the time in which
 * a service starts.
 */
export const sharedSerializers: SerializerSelector.SerializerFactory = (externalSchemas, options) => {
  const compile = SerializerSelector()(externalSchemas, options);
  const settings = JSON.stringify([externalSchemas, options]);
  return (route) => {
    const key = settings + JSON.stringify(route.schema);
    const known = built.get(key);
    if (known !== undefined) return known;
    const serializer = compile(route);
    built.set(key, serializer);
    return serializer;
  };
};
