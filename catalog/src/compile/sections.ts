/** The typed arrays that make up a catalog file, by name. */
export type Sections = Map<string, Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array>;
