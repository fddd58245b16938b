// Generated from the service's OpenAPI description by `npm run generate --workspace client`.
export interface paths {
    "/api/decode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decode a VIN.
         * @description Answers with the vehicle report and what is left of the month. Without a key, and on the plan free, the report holds vin, wmi, vds, manufacturer, model, bodyStyle, bodyStyleNormalized, modelYear and region; the other plans see everything that is known. Charged only when it answers 200.
         */
        post: operations["decode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/decode/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decode a batch of VINs.
         * @description Answers every VIN in the order of the request, with the fields of the plan. An invalid VIN gets an error and does not affect the others. Exactly the decoded VINs are charged. If the batch reaches the monthly limit, the first VINs are decoded and the others marked `limit_reached`. With `Accept: application/x-ndjson` each result is a line, and the last line has the counts and the usage.
         */
        post: operations["decodeBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of a job.
         * @description Its status, and how many VINs are done and charged. Free and not charged.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a stopped job.
         * @description Goes on with the first VIN that did not fit under the limit. Any other job stays as it is.
         */
        post: operations["resumeJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the results of a job.
         * @description What is there so far, in the order of the request: lines of JSON as a batch has them, or with `Accept: text/csv` a table.
         */
        get: operations["getJobResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/decode/candidates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List what a VIN leaves open, and narrow it with hints.
         * @description Answers with the report that the VIN and the hints settle together, and for each field that stays open with the values that remain, the likeliest first. For plans that see everything. Charged like a decode; asked again for the same VIN within 24 hours, with whatever hints, it is free.
         */
        post: operations["decodeCandidates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/vin/{vin}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check a VIN without decoding it.
         * @description Free and not charged. Says what is wrong with a VIN, and which VINs were likely meant where it looks mistyped.
         */
        get: operations["checkVin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/report-decode-issue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a wrong decode.
         * @description Queues the report for review. When it is accepted, the VIN is decoded with the correction from then on. With a key the report belongs to the workspace, which sees its state at `GET /api/reports`. Free and not charged.
         */
        post: operations["reportDecodeIssue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your reports.
         * @description Newest first, with the state of each. Free and not charged.
         */
        get: operations["listReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get your usage.
         * @description What is left of this month, and the charged decodes of the last twelve months by day and by key; with a test key, those of the test keys. Free and not charged.
         */
        get: operations["usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a job.
         * @description Takes up to 100,000 VINs and 4 MB as `{"vins": ["…"]}`, as lines of JSON (`application/x-ndjson`), or as CSV (`text/csv`), and decodes them one after another. Charged is what is decoded, exactly, whatever fails on the way. Where the monthly limit is reached it stops, and goes on when it is resumed.
         */
        post: operations["createJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** ErrorResponse */
        ErrorResponse: {
            /**
             * @description What went wrong and what to do, for people.
             * @example A VIN has 17 characters; this one has 16.
             */
            error: string;
        };
        /**
         * VehicleReport
         * @description What the VIN says of the vehicle. Fields without a value are left out.
         */
        VehicleReport: {
            /**
             * @description The decoded VIN.
             * @example 1HGCM82633A004352
             */
            vin: string;
            /**
             * @description World manufacturer identifier, positions 1-3.
             * @example 1HG
             */
            wmi?: string;
            /**
             * @description Vehicle descriptor section, positions 4-9.
             * @example CM8263
             */
            vds?: string;
            /**
             * @description Vehicle indicator section, positions 10-17.
             * @example 3A004352
             */
            vis?: string;
            /**
             * @description Position 9.
             * @example 3
             */
            checkDigit?: string;
            /**
             * @description Position 10.
             * @example 3
             */
            yearCode?: string;
            /**
             * @description Position 11.
             * @example A
             */
            plantCode?: string;
            /**
             * @description Positions 12-17, or 15-17 where the third character is 9.
             * @example 004352
             */
            serialNumber?: string;
            /** @description Whether the VIN has the form of ISO 3779. A wrong check digit does not change it. */
            validFormat?: boolean;
            /**
             * @description The make as people say it. Present exactly when the vehicle was identified.
             * @example Honda
             */
            manufacturer?: string;
            /**
             * @description Model.
             * @example Accord
             */
            model?: string;
            /**
             * @description The maker's code of the model or type.
             * @example CM8
             */
            modelCode?: string;
            /**
             * @description Generation of the model.
             * @example VII
             */
            generation?: string;
            /**
             * @description Body style as a label for people.
             * @example Coupe
             */
            bodyStyle?: string;
            /**
             * @description Body style for programs. unknown: not determined; other: known but in none of the categories.
             * @example coupe
             * @enum {string}
             */
            bodyStyleNormalized?: "unknown" | "other" | "sedan" | "wagon" | "hatchback" | "coupe" | "cabrio" | "suv" | "van" | "pickup" | "truck" | "bus" | "motorcycle" | "trailer";
            /**
             * @description Model year.
             * @example 2003
             */
            modelYear?: string;
            /**
             * @description Trim level.
             * @example EX-V6
             */
            trim?: string;
            /**
             * @description Kind of vehicle.
             * @example Passenger car
             */
            vehicleType?: string;
            /**
             * @description Plant, as city and country as far as known.
             * @example Marysville, United States
             */
            plant?: string;
            /**
             * @description Region that the WMI was assigned to.
             * @example North America
             */
            region?: string;
            /** @description The body styles that remain possible where the VIN does not settle one. */
            possibleBodyStyles?: string[];
            /** @description Technical data; only what the VIN settles. */
            specs?: {
                /**
                 * @description Engine as people write it.
                 * @example V6 (J30A4), gasoline
                 */
                engine?: string;
                /**
                 * @description Gasoline, Diesel, Electric, Hybrid and so on.
                 * @example Gasoline
                 */
                fuelType?: string;
                /**
                 * @description Manual or Automatic, with detail where known.
                 * @example Automatic
                 */
                transmission?: string;
                /**
                 * @description Which wheels are driven.
                 * @example Front-wheel drive
                 */
                driveType?: string;
                /**
                 * @description Power in kilowatts.
                 * @example 179
                 */
                powerKw?: number;
                /**
                 * @description Engine displacement in cubic centimetres.
                 * @example 2998
                 */
                displacementCc?: number;
                /**
                 * @description Capacity of the traction battery in kilowatt-hours.
                 * @example 75
                 */
                batteryCapacityKwh?: number;
                /**
                 * @description Emissions standard.
                 * @example Euro 6
                 */
                emissionsStandard?: string;
                /**
                 * @description Market the vehicle was built for.
                 * @example North America
                 */
                market?: string;
                /**
                 * @description Country of the plant.
                 * @example United States
                 */
                plantCountry?: string;
                /**
                 * @description City of the plant.
                 * @example Marysville
                 */
                plantCity?: string;
            };
            /** @description Dimensions, weights and volumes of the model or variant; only what is known. */
            technicalSpecs?: {
                /**
                 * @description Length in millimetres.
                 * @example 4813
                 */
                lengthMm?: number;
                /**
                 * @description Width in millimetres.
                 * @example 1816
                 */
                widthMm?: number;
                /**
                 * @description Height in millimetres.
                 * @example 1450
                 */
                heightMm?: number;
                /**
                 * @description Wheelbase in millimetres.
                 * @example 2741
                 */
                wheelbaseMm?: number;
                /**
                 * @description Curb weight in kilograms.
                 * @example 1500
                 */
                curbWeightKg?: number;
                /**
                 * @description Gross weight in kilograms.
                 * @example 2000
                 */
                grossWeightKg?: number;
                /**
                 * @description Ground clearance in millimetres.
                 * @example 150
                 */
                groundClearanceMm?: number;
                /**
                 * @description Cargo volume in litres.
                 * @example 400
                 */
                cargoVolumeLiters?: number;
                /**
                 * @description Cargo volume with seats folded, in litres.
                 * @example 1200
                 */
                cargoVolumeMaxLiters?: number;
            };
        };
        /** UsageInfo */
        UsageInfo: {
            limit: number | null;
            remaining: number | null;
            resetAt: string | null;
        };
        /**
         * DecodeRequest
         * @example {
         *       "vin": "1HGCM82633A004352"
         *     }
         */
        DecodeRequest: {
            /**
             * @description The vehicle identification number. Case does not matter; blanks, hyphens and dots between the 17 characters are dropped.
             * @example 1HGCM82633A004352
             */
            vin: string;
        };
        /** DecodeResponse */
        DecodeResponse: {
            report: components["schemas"]["VehicleReport"];
            usage: components["schemas"]["UsageInfo"];
            /** @description Only in answers to a request with a key. */
            metadata?: {
                /**
                 * @description Plan of the key.
                 * @example free
                 * @enum {string}
                 */
                plan: "free" | "starter" | "business" | "enterprise";
                /** @description Whether there is a plan above this one. */
                upgradeAvailable: boolean;
                /** @description How many fields beyond the basic ones have a value for this vehicle, whether or not the plan shows them. */
                premiumFieldsAvailable: number;
            };
        };
        /** EnrichmentPendingResponse */
        EnrichmentPendingResponse: {
            /** @enum {string} */
            status: "enrichment_pending";
            /**
             * @description When to send the same request again.
             * @example 3
             */
            retryAfterSeconds: number;
            /**
             * @description This answer is free; the one with the report is charged.
             * @enum {boolean}
             */
            usageCharged: false;
            usage: components["schemas"]["UsageInfo"];
        };
        /** RateLimitErrorResponse */
        RateLimitErrorResponse: {
            /**
             * @description What went wrong, for people.
             * @example The monthly limit of 100 decodes is reached. It starts again next month, or rises with the plan.
             */
            error: string;
            limit?: number | null;
            remaining?: number | null;
            resetAt?: string | null;
        };
        /**
         * BatchRequest
         * @example {
         *       "vins": [
         *         "1HGCM82633A004352",
         *         "WVWZZZ1KZAW000001"
         *       ]
         *     }
         */
        BatchRequest: {
            /**
             * @description The VINs, each as `POST /api/decode` takes it; at most 1000, without a key 10.
             * @example [
             *       "1HGCM82633A004352",
             *       "WVWZZZ1KZAW000001"
             *     ]
             */
            vins: string[];
        };
        /** BatchResult */
        BatchResult: {
            /**
             * @description The VIN as it was sent.
             * @example 1HGCM82633A004352
             */
            vin: string;
            /**
             * @description decoded: has a `report`, and is charged. invalid: not a VIN, `error` says why. enrichment_pending: the VIN is being looked up elsewhere, send it again after `retryAfterSeconds`. limit_reached: the monthly limit was reached before this VIN. Only decoded is charged.
             * @example decoded
             * @enum {string}
             */
            status: "decoded" | "invalid" | "enrichment_pending" | "limit_reached";
            /** @description Id of the stored decode, for questions about it: `X-Request-Id` of a single decode. */
            requestId?: string;
            report?: components["schemas"]["VehicleReport"];
            /** @description As in the metadata of a single decode: fields beyond the basic ones that have a value. */
            premiumFieldsAvailable?: number;
            /** @description What is wrong and what to do, for people. */
            error?: string;
            retryAfterSeconds?: number;
        };
        /** BatchResponse */
        BatchResponse: {
            /** @description One for each VIN, in the order of the request. */
            results: components["schemas"]["BatchResult"][];
            /**
             * @description How many of the VINs were decoded and charged.
             * @example 2
             */
            charged: number;
            usage: components["schemas"]["UsageInfo"];
            metadata?: {
                /**
                 * @description Plan of the key.
                 * @example free
                 * @enum {string}
                 */
                plan: "free" | "starter" | "business" | "enterprise";
                /** @description Whether there is a plan above this one. */
                upgradeAvailable: boolean;
            };
        };
        /** BatchEnd */
        BatchEnd: {
            /**
             * @description How many of the VINs were decoded and charged.
             * @example 2
             */
            charged: number;
            usage: components["schemas"]["UsageInfo"];
            metadata?: {
                /**
                 * @description Plan of the key.
                 * @example free
                 * @enum {string}
                 */
                plan: "free" | "starter" | "business" | "enterprise";
                /** @description Whether there is a plan above this one. */
                upgradeAvailable: boolean;
            };
        };
        /** JobResponse */
        JobResponse: {
            /** @example 019ab3c2-7d1e-7c3a-9f53-0d8f2f6a1b11 */
            id: string;
            /**
             * @description stopped: the monthly limit was reached, or the workspace is suspended. It can be resumed.
             * @example queued
             * @enum {string}
             */
            status: "queued" | "running" | "completed" | "stopped";
            /** @description How many there are. */
            vins: number;
            /** @description How many are dealt with. */
            done: number;
            /** @description How many of these were decoded and charged. */
            charged: number;
            /** @description The share that is dealt with. */
            progress: number;
            /**
             * Format: date-time
             * @description When it was sent.
             */
            createdAt: string;
            finishedAt: string | null;
            /**
             * @description Where its results are.
             * @example /api/jobs/019ab3c2/results
             */
            results: string;
        };
        /**
         * CandidatesRequest
         * @example {
         *       "vin": "WVWZZZ1KZCW000001",
         *       "hints": {
         *         "powerKw": 77
         *       }
         *     }
         */
        CandidatesRequest: {
            /**
             * @description The VIN as `POST /api/decode` takes it; or its first characters, at least 11, with * for each that is not known or not to be sent.
             * @example WVWZZZ1KZCW000001
             */
            vin: string;
            /** @description What is known of the vehicle beside its VIN. A hint narrows what is open and never overrules the VIN. */
            hints?: {
                /**
                 * @description The model year.
                 * @example 2012
                 */
                modelYear?: string | number;
                /**
                 * @description The year of the first registration.
                 * @example 2012
                 */
                registrationYear?: string | number;
                /**
                 * @description The fuel, in usual words.
                 * @example Diesel
                 */
                fuelType?: string | number;
                /**
                 * @description The displacement, cc.
                 * @example 1598
                 */
                displacementCc?: string | number;
                /**
                 * @description The power, kW.
                 * @example 77
                 */
                powerKw?: string | number;
                /**
                 * @description The body style, as reports have it.
                 * @example hatchback
                 */
                bodyStyleNormalized?: string | number;
                /**
                 * @description The driven wheels, in usual words.
                 * @example Front-wheel drive
                 */
                driveType?: string | number;
                /**
                 * @description Manual or Automatic.
                 * @example Manual
                 */
                transmission?: string | number;
                /**
                 * @description Europe or North America.
                 * @example Europe
                 */
                market?: string | number;
            };
        };
        /** CandidatesResponse */
        CandidatesResponse: {
            report: components["schemas"]["VehicleReport"];
            /** @description The fields that neither the VIN nor the hints settle. */
            open: {
                /**
                 * @description Path of the field in the report.
                 * @example specs.powerKw
                 */
                field: string;
                /**
                 * @description The values that remain possible, the likeliest first.
                 * @example [
                 *       77,
                 *       103
                 *     ]
                 */
                candidates: (string | number)[];
                /**
                 * @description What would settle it, for people.
                 * @example [
                 *       "power in kW, in the registration document"
                 *     ]
                 */
                settledBy: string[];
            }[];
            /** @description Names of hints that contradict the VIN. They were ignored. */
            conflicts: string[];
            usage: components["schemas"]["UsageInfo"];
            /** @description Only in answers to a request with a key. */
            metadata: {
                /**
                 * @description Plan of the key.
                 * @example free
                 * @enum {string}
                 */
                plan: "free" | "starter" | "business" | "enterprise";
                /** @description Whether there is a plan above this one. */
                upgradeAvailable: boolean;
                /** @description How many fields beyond the basic ones have a value for this vehicle, whether or not the plan shows them. */
                premiumFieldsAvailable: number;
            };
        };
        /** VinCheck */
        VinCheck: {
            /** @description Whether it has the form of ISO 3779. */
            wellFormed: boolean;
            /**
             * @description The VIN as it is read.
             * @example 1HGCM82633A004352
             */
            vin?: string;
            /** @description Which character or length is wrong. */
            problem?: string;
            checkDigit?: {
                /**
                 * @description What the other characters call for at position 9.
                 * @example 3
                 */
                expected: string;
                /**
                 * @description The character there.
                 * @example 3
                 */
                found: string;
                matches: boolean;
                /** @description Whether the market that the WMI was assigned to prescribes a check digit (North America, China). Elsewhere a difference means nothing. */
                required: boolean;
            };
            /** @description Only where it looks mistyped: the VINs that were likely meant, best first, at most five. Left out when a client or the service is asked for very many. */
            suggestions?: {
                /**
                 * @description A VIN that may have been meant.
                 * @example 1HGCM82633A004352
                 */
                vin: string;
                /** @description What differs from the text. */
                changes: {
                    /**
                     * @description Where in the text, from 1; blanks, hyphens and dots left out.
                     * @example 13
                     */
                    position: number;
                    /**
                     * @description The text there: a character, two swapped ones, or nothing.
                     * @example O
                     */
                    from: string;
                    /**
                     * @description What belongs there, or nothing.
                     * @example 0
                     */
                    to: string;
                    /**
                     * @description How it may have come to be wrong.
                     * @example look-alike
                     * @enum {string}
                     */
                    kind: "look-alike" | "neighbouring-key" | "transposition" | "other-character" | "missing-character" | "extra-character";
                }[];
                checkDigit: {
                    /**
                     * @description What the other characters call for at position 9.
                     * @example 3
                     */
                    expected: string;
                    /**
                     * @description The character there.
                     * @example 3
                     */
                    found: string;
                    matches: boolean;
                    /** @description Whether the market that the WMI was assigned to prescribes a check digit (North America, China). Elsewhere a difference means nothing. */
                    required: boolean;
                };
            }[];
        };
        /** ReportDecodeIssueRequest */
        ReportDecodeIssueRequest: {
            /**
             * @description The VIN that was decoded.
             * @example 1HGCM82633A004352
             */
            vin: string;
            /**
             * @description The right make.
             * @example Honda
             */
            expectedManufacturer: string;
            /**
             * @description The right model.
             * @example Accord
             */
            expectedModel: string;
            /**
             * @description The right body style.
             * @example Coupe
             */
            expectedBodyStyle: string;
            /**
             * @description The right model year.
             * @example 2003
             */
            expectedModelYear: string;
            /**
             * @description The report that was received; up to 64 KiB of JSON.
             * @example {
             *       "vin": "1HGCM82633A004352",
             *       "manufacturer": "Honda",
             *       "model": "Civic"
             *     }
             */
            actualReport?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description What is wrong, and how you know.
             * @example The registration says 2003.
             */
            note: string;
        };
        /** ReportDecodeIssueResponse */
        ReportDecodeIssueResponse: {
            /** @description true: the report is stored. */
            saved: boolean;
            /**
             * @description Where the report came from: subscriber (with a key), public (without), portal.
             * @example subscriber
             */
            source: string;
        };
        /** OwnReportsResponse */
        OwnReportsResponse: {
            /** @description The workspace's reports, newest first. */
            reports: {
                id: string;
                vin: string;
                expectedManufacturer: string;
                expectedModel: string;
                expectedBodyStyle: string;
                expectedModelYear: string;
                note: string;
                /**
                 * @example subscriber
                 * @example portal
                 */
                source: string;
                /**
                 * @description queued: waits for review. accepted: the VIN is decoded with the correction. rejected: see reason. superseded: another correction covers it. reverted: the correction was reverted.
                 * @example queued
                 * @example accepted
                 * @example rejected
                 * @example superseded
                 * @example reverted
                 */
                state: string;
                reason: string | null;
                /** Format: date-time */
                createdAt: string;
                decidedAt: string | null;
            }[];
            next: string | null;
        };
        /** UsageResponse */
        UsageResponse: {
            usage: components["schemas"]["UsageInfo"];
            /** @description The last twelve months, the current one first. */
            months: {
                /**
                 * @description The calendar month, in UTC.
                 * @example 2026-05
                 */
                month: string;
                /**
                 * @description Charged decodes.
                 * @example 42
                 */
                charged: number;
                /** @description Days with charged decodes, oldest first. */
                days: {
                    /**
                     * Format: date
                     * @description The day, in UTC.
                     * @example 2026-05-20
                     */
                    day: string;
                    /**
                     * @description Charged decodes.
                     * @example 42
                     */
                    charged: number;
                }[];
                /** @description Keys with charged decodes, most used first. */
                keys: {
                    /** @description Id of the key. */
                    id: string;
                    /**
                     * @description Name that the key was given.
                     * @example production
                     */
                    name: string;
                    /**
                     * @description First and last characters of the key.
                     * @example mq_live_4fGh…x9Yz
                     */
                    key: string;
                    /**
                     * @description Charged decodes.
                     * @example 42
                     */
                    charged: number;
                }[];
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    decode: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your own for this request: a repetition within 24 hours gets the same answer, charged once. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecodeRequest"];
            };
        };
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace; only with a key. */
                    "X-Service-Client"?: string;
                    /** @description Decodes in the current month, or unlimited. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Decodes left in the month, or unlimited. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Unix time of the next reset, in seconds. */
                    "X-RateLimit-Reset"?: string;
                    /** @description The catalog that decoded it: see `GET /api/catalog`. */
                    "X-Catalog-Version"?: string;
                    /** @description Id of the stored decode, for questions about it. */
                    "X-Request-Id"?: string;
                    /** @description Only where this answers a repetition with the same Idempotency-Key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecodeResponse"];
                };
            };
            /** @description The VIN is being looked up outside. Send the same request again after Retry-After seconds. Not charged. */
            202: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace; only with a key. */
                    "X-Service-Client"?: string;
                    /** @description Decodes in the current month, or unlimited. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Decodes left in the month, or unlimited. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Unix time of the next reset, in seconds. */
                    "X-RateLimit-Reset"?: string;
                    /** @description The catalog that decoded it: see `GET /api/catalog`. */
                    "X-Catalog-Version"?: string;
                    /** @description Id of the stored decode, for questions about it. */
                    "X-Request-Id"?: string;
                    /** @description Seconds until it is worth asking again. */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrichmentPendingResponse"];
                };
            };
            /** @description The body is not JSON, or has no valid VIN. The message says what to change. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The key is invalid or inactive, or is not where a key belongs. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The first request with this Idempotency-Key is still under way. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is not sent as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The Idempotency-Key came with another request before. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The monthly limit is reached. */
            429: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace; only with a key. */
                    "X-Service-Client"?: string;
                    /** @description Decodes in the current month, or unlimited. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Decodes left in the month, or unlimited. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Unix time of the next reset, in seconds. */
                    "X-RateLimit-Reset"?: string;
                    /** @description The catalog that decoded it: see `GET /api/catalog`. */
                    "X-Catalog-Version"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    decodeBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your own for this request: a repetition within 24 hours gets the same answer, charged once. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchRequest"];
            };
        };
        responses: {
            /** @description A result for every VIN. */
            200: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace; only with a key. */
                    "X-Service-Client"?: string;
                    /** @description Decodes in the current month, or unlimited. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Decodes left in the month, or unlimited. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Unix time of the next reset, in seconds. */
                    "X-RateLimit-Reset"?: string;
                    /** @description The catalog that decoded it: see `GET /api/catalog`. */
                    "X-Catalog-Version"?: string;
                    /** @description Only where this answers a repetition with the same Idempotency-Key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResponse"];
                    "application/x-ndjson": components["schemas"]["BatchResult"] | components["schemas"]["BatchEnd"];
                };
            };
            /** @description The body is not JSON, or holds no list of VINs, or too many. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The key is invalid or inactive, or is not where a key belongs. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The first request with this Idempotency-Key is still under way. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is not sent as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The Idempotency-Key came with another request before. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The monthly limit is reached, and none of the VINs decoded. */
            429: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace; only with a key. */
                    "X-Service-Client"?: string;
                    /** @description Decodes in the current month, or unlimited. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Decodes left in the month, or unlimited. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Unix time of the next reset, in seconds. */
                    "X-RateLimit-Reset"?: string;
                    /** @description The catalog that decoded it: see `GET /api/catalog`. */
                    "X-Catalog-Version"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobResponse"];
                };
            };
            /** @description There is no key, or it is invalid or inactive, or is not where a key belongs. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no such job of this workspace. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A test key was used too often. Try again after Retry-After seconds. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    resumeJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobResponse"];
                };
            };
            /** @description There is no key, or it is invalid or inactive, or is not where a key belongs. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no such job of this workspace. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A test key was used too often. Try again after Retry-After seconds. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    getJobResults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["BatchResult"];
                    "text/csv": string;
                };
            };
            /** @description There is no key, or it is invalid or inactive, or is not where a key belongs. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no such job of this workspace. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A test key was used too often. Try again after Retry-After seconds. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    decodeCandidates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CandidatesRequest"];
            };
        };
        responses: {
            /** @description The report and what is open. */
            200: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace; only with a key. */
                    "X-Service-Client"?: string;
                    /** @description Decodes in the current month, or unlimited. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Decodes left in the month, or unlimited. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Unix time of the next reset, in seconds. */
                    "X-RateLimit-Reset"?: string;
                    /** @description The catalog that decoded it: see `GET /api/catalog`. */
                    "X-Catalog-Version"?: string;
                    /** @description Id of the stored decode, for questions about it. */
                    "X-Request-Id"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CandidatesResponse"];
                };
            };
            /** @description The body is not JSON, or its VIN or a hint is invalid. The message says what to change. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no key, or it is invalid or inactive, or is not where a key belongs. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The plan of the key does not see candidates. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is not sent as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The monthly limit is reached. */
            429: {
                headers: {
                    /** @description Whether the request was public or came with a key. */
                    "X-Service-Auth"?: string;
                    /** @description Slug of the workspace; only with a key. */
                    "X-Service-Client"?: string;
                    /** @description Decodes in the current month, or unlimited. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Decodes left in the month, or unlimited. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Unix time of the next reset, in seconds. */
                    "X-RateLimit-Reset"?: string;
                    /** @description The catalog that decoded it: see `GET /api/catalog`. */
                    "X-Catalog-Version"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimitErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    checkVin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The VIN to check.
                 * @example 1HGCM82633A004352
                 */
                vin: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is right and wrong with it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VinCheck"];
                };
            };
            /** @description The address is not a valid URL path. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The request headers are too large. */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    reportDecodeIssue: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your own for this request: a repetition within 24 hours is stored once. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportDecodeIssueRequest"];
            };
        };
        responses: {
            /** @description The report is stored. */
            200: {
                headers: {
                    /** @description Id of the report: with a key, `GET /api/reports` tells its state. */
                    "X-Report-Id"?: string;
                    /** @description Only where this answers a repetition with the same Idempotency-Key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportDecodeIssueResponse"];
                };
            };
            /** @description The body is not JSON, or fields are missing, blank or too long. The message names every one of them. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The key is invalid or inactive, or is not where a key belongs. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The first request with this Idempotency-Key is still under way. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is not sent as JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The Idempotency-Key came with another report before. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too many reports in a short time, or too many that wait for review. Try again after Retry-After seconds. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    listReports: {
        parameters: {
            query?: {
                /** @description Reports on a page, up to 200. */
                limit?: string;
                /** @description The `next` of the page before. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of reports. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnReportsResponse"];
                };
            };
            /** @description A query parameter is not valid. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no key, or it is invalid or inactive. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A test key was used too often. Try again after Retry-After seconds. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    usage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageResponse"];
                };
            };
            /** @description There is no key, or it is invalid or inactive. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description A test key was used too often. Try again after Retry-After seconds. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
    createJob: {
        parameters: {
            query?: {
                /** @description CSV's column of VINs, by name or number. */
                column?: string;
            };
            header?: {
                /** @description A key of your own for this request: a repetition within 24 hours gets the same job. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "vins": [
                 *         "1HGCM82633A004352",
                 *         "WVWZZZ1KZ4W000001"
                 *       ]
                 *     }
                 */
                "application/json": {
                    vins: string[];
                };
                "application/x-ndjson": string;
                "text/csv": string;
            };
        };
        responses: {
            /** @description The job is stored. */
            202: {
                headers: {
                    /** @description Address of its state. */
                    Location?: string;
                    /** @description Only where this answers a repetition with the same Idempotency-Key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobResponse"];
                };
            };
            /** @description The body has no VINs, or too many. The message says what to change. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no key, or it is invalid or inactive, or is not where a key belongs. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description There is no such job of this workspace. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The first request with this Idempotency-Key is still under way. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The body is none of JSON, lines of JSON and CSV. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The Idempotency-Key came with another request before. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The workspace keeps as many jobs as it may. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description The service failed. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /** @description Too busy. Try again after Retry-After seconds. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
        };
    };
}
