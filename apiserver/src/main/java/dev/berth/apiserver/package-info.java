/** The API server: REST, registry, admission, authentication, authorization. */
@NullMarked
package dev.berth.apiserver;

import org.jspecify.annotations.NullMarked;
