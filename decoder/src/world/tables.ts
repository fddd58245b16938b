import type { Container } from '../catalog/container.ts';

/**
 * The facts about the world's VINs as typed arrays; see catalog/src/world/compile.ts, which writes them. The sections of
 * the file call a layout a profile: so do overlays that were stored before.
 */
export class WorldTables {
  readonly layoutId: Uint32Array;
  readonly layoutMake: Uint32Array;
  readonly layoutType: Uint32Array;
  readonly layoutWhens: Uint32Array;
  /** The start of each layout's groups in `layoutGroup`, which has their numbers. */
  readonly layoutGroups: Uint32Array;
  readonly layoutGroup: Uint32Array;
  readonly layoutFrom: Uint16Array;
  readonly layoutTo: Uint16Array;
  readonly layoutYear: Uint8Array;
  readonly layoutCheck: Uint8Array;
  readonly layoutCondition: Uint8Array;
  /** 1 = gives the make of a WMI that several makes share only with the model. */
  readonly layoutNeedsModel: Uint8Array;
  readonly whenTokens: Uint32Array;
  readonly whenPosition: Uint8Array;
  readonly whenSet: Uint16Array;
  readonly groupPositions: Uint32Array;
  readonly groupPosition: Uint8Array;
  readonly groupEntries: Uint32Array;
  readonly entryKey: Float64Array;
  readonly entryFact: Uint32Array;
  readonly entryRest: Uint32Array;
  readonly entryPosition: Uint8Array;
  readonly entrySet: Uint16Array;
  readonly factFrom: Uint16Array;
  readonly factTo: Uint16Array;
  readonly factSerialFrom: Uint32Array;
  readonly factSerialTo: Uint32Array;
  readonly factGuard: Uint32Array;
  readonly factFixed: Uint8Array;
  readonly factConfidence: Uint8Array;
  readonly factSource: Uint32Array;
  /** Source of the fact: file and line. */
  readonly factFile: Uint32Array;
  readonly factLine: Uint16Array;
  readonly factPattern: Uint32Array;
  /** The values of the fact: many facts share them, and they are stored once. */
  readonly factOutputs: Uint32Array;
  readonly outputStart: Uint32Array;
  readonly outputField: Uint8Array;
  readonly outputValue: Uint32Array;
  /** The usual label of each body style. */
  readonly bodyLabel: Uint32Array;
  readonly setWords: Uint32Array;
  /** The numbers of facts and layouts of the catalog itself: those of overlays come behind them. */
  readonly catalogFacts: number;
  readonly catalogLayouts: number;

  constructor(container: Container) {
    this.layoutId = container.u32('world.profile.id');
    this.layoutMake = container.u32('world.profile.make');
    this.layoutType = container.u32('world.profile.type');
    this.layoutWhens = container.u32('world.profile.whens');
    this.layoutGroups = container.u32('world.profile.groups');
    this.layoutGroup = container.u32('world.profile.group');
    this.layoutFrom = container.u16('world.profile.from');
    this.layoutTo = container.u16('world.profile.to');
    this.layoutYear = container.u8('world.profile.year');
    this.layoutCheck = container.u8('world.profile.check');
    this.layoutCondition = container.u8('world.profile.condition');
    this.layoutNeedsModel = container.u8('world.profile.needsModel');
    this.whenTokens = container.u32('world.when.tokens');
    this.whenPosition = container.u8('world.when.position');
    this.whenSet = container.u16('world.when.set');
    this.groupPositions = container.u32('world.group.positions');
    this.groupPosition = container.u8('world.group.position');
    this.groupEntries = container.u32('world.group.entries');
    this.entryKey = container.f64('world.entry.key');
    this.entryFact = container.u32('world.entry.fact');
    this.entryRest = container.starts('world.entry.rest');
    this.entryPosition = container.u8('world.entry.position');
    this.entrySet = container.u16('world.entry.set');
    this.factFrom = container.u16('world.fact.from');
    this.factTo = container.u16('world.fact.to');
    const facts = this.factFrom.length;
    this.factSerialFrom = container.sparse('world.fact.serialFrom', facts);
    this.factSerialTo = container.sparse('world.fact.serialTo', facts);
    this.factGuard = container.sparse('world.fact.guard', facts);
    this.factFixed = container.u8('world.fact.fixed');
    this.factConfidence = container.u8('world.fact.confidence');
    this.factSource = container.distinct('world.fact.source');
    this.factFile = container.distinct('world.fact.file');
    this.factLine = container.u16('world.fact.line');
    this.factPattern = container.u32('world.fact.pattern');
    this.factOutputs = container.u32('world.fact.outputs');
    this.outputStart = container.u32('world.output.start');
    this.outputField = container.u8('world.output.field');
    this.outputValue = container.u32('world.output.value');
    this.bodyLabel = container.u32('world.bodyLabel');
    this.setWords = container.u32('world.set.words');
    this.catalogFacts = Number(container.meta['catalogFacts'] ?? facts);
    this.catalogLayouts = Number(container.meta['catalogLayouts'] ?? this.layoutId.length);
  }

  /** Returns true if a set of characters contains this code. */
  holds(set: number, code: number): boolean {
    const word = (this.setWords[set * 2 + (code < 32 ? 0 : 1)] as number) >>> (code & 31);
    return (word & 1) === 1;
  }
}
