package dev.berth.controllers.serviceaccount;

import dev.berth.model.tree.JsonObject;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What secrets with tokens of service accounts are filled with.
 *
 * @param signer makes a token of its claims
 * @param rootCertificates whom pods trust, in PEM, which may change; empty for nobody
 */
public record TokenSettings(
    Function<JsonObject, String> signer, Supplier<String> rootCertificates) {}
